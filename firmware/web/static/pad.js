// A phone that is a scorer's pad. One press is under way at a time and is asked for until it is
// answered or too old; what became of it stands in words above the keys.
"use strict";
(function () {
  const pad = document.getElementById("pad");
  const words = JSON.parse(pad.dataset.words);
  const path = pad.dataset.path;
  const answer = document.getElementById("answer");
  const door = document.getElementById("door");
  const keys = document.getElementById("keys");
  const leave = document.getElementById("leave");
  const menu = document.getElementById("menu");
  const HOLD_MS = 600;
  const LATE_MS = 1500; // the table does not act on a press that is older
  const AGAIN_MS = 150;
  const MOST = 6;
  const store = "tacada-pad" + path;
  let number = 0;
  let drawn = "";
  let ok = ""; // the key that asks about the match when it is held for long
  let busy = false;
  const waiting = [];

  function say(kind, text) {
    answer.className = kind;
    answer.textContent = text;
  }

  async function post(what, body) {
    const stop = new AbortController();
    const timer = setTimeout(function () { stop.abort(); }, 2500);
    try {
      const got = await fetch(path + "/" + what, {
        method: "POST", body: JSON.stringify(body), signal: stop.signal,
        headers: { "Content-Type": "application/json" }, credentials: "same-origin",
      });
      if (got.status === 429) return { error: "slow" };
      if (!got.ok) return { error: "unanswered" };
      return got.status === 204 ? {} : await got.json();
    } catch (error) {
      return { error: "unanswered" };
    } finally {
      clearTimeout(timer);
    }
  }

  function save(known) {
    try { sessionStorage.setItem(store, JSON.stringify({ number: number, keys: known })); } catch (error) { /* private */ }
  }

  function enter(reply) {
    door.hidden = true;
    keys.hidden = leave.hidden = menu.hidden = false;
    draw(reply.keys || [], reply.means || []);
  }

  function out(error) {
    door.hidden = false;
    keys.hidden = leave.hidden = menu.hidden = true;
    try { sessionStorage.removeItem(store); } catch (ignored) { /* private */ }
    say("refused", words[error] || words.refused);
  }

  function draw(list, means) {
    const meaning = {};
    means.forEach(function (one) { meaning[one[0]] = one[1]; });
    const now = JSON.stringify([list, means]);
    if (now === drawn) return;
    drawn = now;
    save(list);
    ok = (list.find(function (key) { return key.menu; }) || { name: "" }).name;
    keys.style.setProperty("--wide", list.length > 12 ? 4 : list.length > 4 ? 3 : 2);
    const old = {};
    Array.from(keys.children).forEach(function (node) { old[node.dataset.key] = node; });
    list.forEach(function (key) {
      const node = old[key.name] || made(key);
      delete old[key.name];
      node.dataset.holds = key.holds ? "1" : "";
      const said = meaning[key.label];
      node.innerHTML = "";
      const label = document.createElement("span");
      label.textContent = key.label;
      label.style.setProperty("--long", key.label.length);
      node.appendChild(label);
      const small = document.createElement("small");
      small.textContent = said ? said : key.holds ? words.hold : "";
      node.appendChild(small);
      keys.appendChild(node);
    });
    Object.keys(old).forEach(function (name) { old[name].remove(); });
  }

  function made(key) {
    const node = document.createElement("button");
    node.type = "button";
    node.dataset.key = key.name;
    let down = 0;
    let timer = 0;
    function end(held) {
      if (!down) return;
      clearTimeout(timer);
      node.classList.remove("down");
      const at = down;
      down = 0;
      press(key.name, held, at);
    }
    node.addEventListener("pointerdown", function (event) {
      if (event.button) return;
      event.preventDefault();
      node.focus();
      if (navigator.vibrate) navigator.vibrate(15);
      node.classList.add("down");
      if (!node.dataset.holds) { press(key.name, false, Date.now()); return; }
      down = Date.now();
      timer = setTimeout(function () { end(true); }, HOLD_MS);
    });
    ["pointerup", "pointercancel", "pointerleave"].forEach(function (name) {
      node.addEventListener(name, function () {
        node.classList.remove("down");
        if (name === "pointerup") end(false);
        else { clearTimeout(timer); down = 0; }
      });
    });
    // By keyboard: Enter and space press, with shift they hold.
    node.addEventListener("keydown", function (event) {
      if (event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      press(key.name, event.shiftKey && node.dataset.holds === "1", Date.now());
    });
    node.addEventListener("contextmenu", function (event) { event.preventDefault(); });
    return node;
  }

  function press(key, held, at, long) {
    if (waiting.length >= MOST) { say("refused", words.slow); return; }
    waiting.push({ key: key, held: held, long: Boolean(long), at: at });
    if (!busy) work();
  }

  async function work() {
    busy = true;
    while (waiting.length) {
      const one = waiting.shift();
      number += 1;
      save(drawn ? JSON.parse(drawn)[0] : []);
      const reply = await asked(one, number);
      if (reply.error === "void" || reply.error === "full") { waiting.length = 0; out(reply.error); break; }
      told(reply);
    }
    busy = false;
  }

  async function asked(one, its) {
    for (;;) {
      const age = Math.max(0, Date.now() - one.at);
      const reply = await post("press", { number: its, key: one.key, held: one.held, long: one.long, age_ms: age });
      if (reply.error !== "unanswered" || Date.now() - one.at > LATE_MS) return reply;
      await new Promise(function (done) { setTimeout(done, AGAIN_MS); });
    }
  }

  function told(reply) {
    if (reply.error) { say("unanswered", words[reply.error] || words.refused); return; }
    const kinds = { A: "accepted", W: "waiting", R: "refused" };
    const kind = kinds[reply.answer] || "refused";
    say(kind, (kind === "refused" ? words.refused + ": " : kind === "accepted" ? "✓ " : "… ") + (reply.text || ""));
    if (reply.keys) draw(reply.keys, reply.means || []);
  }

  document.getElementById("show").addEventListener("click", async function () {
    const reply = await post("pair", {});
    if (reply.error) say("refused", words[reply.error] || words.refused);
    else { say("", words.ask); document.getElementById("code").focus(); }
  });
  door.addEventListener("submit", async function (event) {
    event.preventDefault();
    const code = document.getElementById("code");
    const reply = await post("pair", { code: code.value });
    code.value = "";
    if (reply.error) { say("refused", words[reply.error] || words.refused); return; }
    number = 0;
    say("accepted", "✓ " + words.accepted);
    enter(reply);
  });
  menu.addEventListener("click", function () { if (ok) press(ok, true, Date.now(), true); });
  leave.addEventListener("click", async function () {
    await post("leave", {});
    out("void");
    say("", "");
  });
  try {
    const known = JSON.parse(sessionStorage.getItem(store) || "null");
    if (known && known.keys && known.keys.length) { number = known.number; enter({ keys: known.keys }); }
  } catch (error) { /* private */ }
})();
