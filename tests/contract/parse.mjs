// Reads an AsyncAPI document with the parser of the AsyncAPI project, and says all that it finds.
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const file = process.argv[2];
const { document, diagnostics } = await new Parser().parse(readFileSync(file, "utf8"));
const grave = diagnostics.filter((one) => one.severity <= 1);
for (const one of grave) {
  console.error(`${file}:${one.range.start.line + 1}: ${one.path.join(".")}: ${one.message}`);
}
if (!document || grave.length) process.exit(1);
console.log(`${file}: in order, ${document.channels().length} channels`);
