// Prints what dmn-moddle writes for a file: node dmn_moddle.mjs FILE
import { readFileSync } from 'node:fs';
import { DmnModdle } from 'dmn-moddle';

const SITES = /https?:\/\/www\.omg\.org\/spec\/DMN\/(?:20180521|20211108|20230324)\/(MODEL|DMNDI|FEEL)\//g;
const text = readFileSync(process.argv[2], 'utf8').replace(SITES, 'https://www.omg.org/spec/DMN/20191111/$1/');
const moddle = new DmnModdle();
const { rootElement, warnings } = await moddle.fromXML(text, 'dmn:Definitions');
for (const { message } of warnings) console.error(message);
process.stdout.write((await moddle.toXML(rootElement, { format: true })).xml);
