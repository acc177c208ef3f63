// Runs a WebAssembly module that imports `print` and exports `_start`; one that traps fails.
import { readFile } from "node:fs/promises";

const bytes = await readFile(process.argv[2]);
const print = (text, length) =>
    process.stdout.write(Buffer.from(instance.exports.memory.buffer, text, length));
const { instance } = await WebAssembly.instantiate(bytes, { env: { print } });
instance.exports._start();
