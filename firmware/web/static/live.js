// Keeps a page up to date, and says so when it cannot. What is shown is never older than the page
// admits: if the server is silent, or this device slept, everything is marked as last known, and
// the page counts the ages on by itself.
"use strict";
(function () {
  const body = document.body;
  const live = document.getElementById("live");
  const banner = document.getElementById("silent");
  const SILENT_MS = 9000; // as long as a table's own beat counts
  const RETRY_MS = 4500; // the server speaks every two seconds
  const TICK_MS = 500;
  let source = null;
  let heard = Date.now();
  let ticked = Date.now();
  let tried = 0;

  function part(name) {
    let node = document.getElementById(name);
    if (!node) {
      node = document.createElement(name === "room" ? "div" : "article");
      node.id = name;
    }
    return node;
  }

  function put(node, html) {
    if (node.dataset.html === html) return;
    // Whoever stands on a link with the keyboard stays there.
    const at = document.activeElement;
    const inside = at && node.contains(at) ? Array.from(node.querySelectorAll("a")).indexOf(at) : -1;
    node.innerHTML = html;
    node.dataset.html = html;
    node.dataset.since = Date.now();
    const mark = /^<!--(\w*)-->/.exec(html);
    node.dataset.mark = mark ? mark[1] : "";
    if (inside >= 0) {
      const links = node.querySelectorAll("a");
      if (links[inside]) links[inside].focus();
    }
  }

  function whole(parts) {
    const nodes = Object.keys(parts).map(function (name) {
      const node = part(name);
      put(node, parts[name]);
      return node;
    });
    const wanted = new Set(nodes);
    Array.from(live.children).forEach(function (node) {
      if (!wanted.has(node)) node.remove();
    });
    nodes.forEach(function (node, place) {
      if (live.children[place] !== node) live.insertBefore(node, live.children[place] || null);
    });
    layout();
  }

  // A television shows as many tables as stay legible, and turns the page if there are more.
  const MOST = 24;
  // How large letters may be, for cards that are 24 of them wide and 10.4 high.
  function letters(columns, rows) {
    return Math.min(window.innerWidth * 0.94 / columns / 24, window.innerHeight * 0.88 / rows / 10.4);
  }
  let first = 0;
  function layout() {
    if (!document.documentElement.classList.contains("tv")) return;
    const cards = Array.from(live.querySelectorAll("article"));
    const pages = Math.max(1, Math.ceil(cards.length / MOST));
    first = first % pages;
    const shown = cards.slice(first * MOST, (first + 1) * MOST);
    cards.forEach(function (card) { card.hidden = shown.indexOf(card) < 0; });
    let columns = 1;
    let largest = 0;
    for (let some = 1; some <= shown.length; some += 1) {
      const size = letters(some, Math.ceil(shown.length / some));
      if (size > largest) { largest = size; columns = some; }
    }
    live.style.setProperty("--columns", columns);
    live.style.setProperty("--rows", Math.max(1, Math.ceil(shown.length / columns)));
    live.style.setProperty("--letters", letters(columns, Math.ceil(shown.length / columns)) + "px");
    live.dataset.page = pages > 1 ? first + 1 + "/" + pages : "";
  }
  let turning = true;
  setInterval(function () { if (turning) { first += 1; layout(); } }, 12000);
  document.addEventListener("keydown", function (event) {
    if (!document.documentElement.classList.contains("tv")) return;
    if (event.key === " ") { turning = !turning; event.preventDefault(); }
    if (event.key === "ArrowRight") { first += 1; layout(); }
  });
  window.addEventListener("resize", layout);

  function connect() {
    if (source) source.close();
    tried = Date.now();
    source = new EventSource(body.dataset.events);
    source.addEventListener("page", function (event) {
      const news = JSON.parse(event.data);
      if (news.version !== body.dataset.version) { location.reload(); return; }
      alive();
      whole(news.parts);
    });
    source.addEventListener("parts", function (event) {
      alive();
      const parts = JSON.parse(event.data);
      Object.keys(parts).forEach(function (name) { put(part(name), parts[name]); });
    });
    source.addEventListener("beat", alive);
  }

  function alive() {
    heard = Date.now();
    show();
  }

  function age(ms) {
    const units = JSON.parse(body.dataset.units);
    const sizes = [1000, 60000, 3600000, 86400000];
    let unit = 0;
    while (unit < 3 && ms >= sizes[unit + 1]) unit += 1;
    return units[unit].replace("#", Math.floor(ms / sizes[unit]));
  }

  function write(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  // What a server would count that is gone: of each table for how long nothing was heard.
  function count(now) {
    live.querySelectorAll(".age").forEach(function (node) {
      const known = Number(node.dataset.ms);
      // Of a table that was live the server may have heard until we last heard the server.
      const since = known ? Number(node.closest("[data-since]").dataset.since) : heard;
      const words = node.dataset.words || body.dataset.age;
      write(node, words.replace("#", age(known + Math.max(0, now - since))));
    });
  }

  function show() {
    const now = Date.now();
    const ms = now - heard;
    const silent = ms >= SILENT_MS || ms < -1000;
    body.classList.toggle("silent", silent);
    banner.hidden = !silent;
    // Only the words are an alert: an age would be read out anew with each second.
    write(banner.firstElementChild, silent ? body.dataset.silent : "");
    write(banner.lastElementChild, silent ? body.dataset.age.replace("#", age(Math.max(0, ms))) : "");
    if (silent) count(now);
  }

  setInterval(function () {
    const now = Date.now();
    const slept = now - ticked > 3000 || now < ticked;
    ticked = now;
    if ((slept || now - heard > RETRY_MS || now < heard) && now - tried > 1500) connect();
    show();
  }, TICK_MS);
  ["online", "pageshow", "visibilitychange"].forEach(function (name) {
    (name === "visibilitychange" ? document : window).addEventListener(name, function () {
      if (!document.hidden && Date.now() - heard > 2500) connect();
      show();
    });
  });
  window.addEventListener("pagehide", function () { if (source) source.close(); });
  Array.from(live.children).forEach(function (node) { put(node, node.innerHTML.trim()); });
  layout();
  connect();
})();
