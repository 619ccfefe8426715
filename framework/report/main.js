// Starts the page that the writer left its content for.
import "./report.css";
import { content as readContent } from "./data.js";
import { runPage } from "./runpage.js";
import { studyPage } from "./studypage.js";

const content = readContent();
const app = document.getElementById("app");
// Also for those who look into a report with their browser's console.
window.trammel = content.kind === "study" ? studyPage(content, app) : runPage(content, app);
window.trammel.ready = performance.now();
