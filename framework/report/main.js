// Starts the page that the writer left its content for.
import "./report.css";
import { content as readContent } from "./data.js";
import { livePage } from "./live.js";
import { runPage } from "./runpage.js";
import { studyPage } from "./studypage.js";

const content = readContent();
const app = document.getElementById("app");
// Also for those who look into a report with their browser's console.
const pages = { study: studyPage, live: livePage, run: runPage };
window.trammel = {};
Object.assign(window.trammel, pages[content.kind](content, app));
// `ready`: the mechanism can be looked at and played; `complete`: all diagrams are there, too. In ms since navigation.
window.trammel.ready = performance.now();
Promise.resolve(window.trammel.complete).then(() => (window.trammel.completed = performance.now()));
