// From requests to answers.
#include "view/live_page.h"

#include "report/page.h"
#include "trammel/error.h"
#include "version.h"

namespace trammel {
namespace {

WebAnswer json_answer(const ReportJson& json) {
  return {200, "application/json", json.dump(-1, ' ', false, ReportJson::error_handler_t::replace), {}};
}

WebAnswer plain(int status, const std::string& text) { return {status, "text/plain; charset=utf-8", text + "\n", {}}; }

WebAnswer page_answer(const LiveRun& run) {
  Page page;
  const ReportJson progress = run.progress();
  page.title = progress["file"].get<std::string>();
  page.live = true;
  page.content = {{"kind", "live"}, {"generator", std::string("trammel ") + version()}, {"title", page.title}};
  WebAnswer answer{200, "text/html; charset=utf-8", page_html(page), {}};
  answer.headers.emplace_back("Content-Security-Policy", "frame-ancestors 'none'");
  return answer;
}

WebAnswer rows_answer(const LiveRun& run, const WebRequest& request) {
  const std::shared_ptr<const LiveRows> rows = run.rows();
  if (rows == nullptr || request.number("run", -1) != run.progress()["run"].get<long>())
    return plain(409, "That run is over.");
  LiveRows::Part part = rows->since(request.number("from", 0));
  WebAnswer answer{200, "application/octet-stream", std::move(part.bytes), {}};
  answer.headers = {{"Trammel-Stride", std::to_string(part.stride)},
                    {"Trammel-First", std::to_string(part.first)},
                    {"Trammel-Count", std::to_string(part.count)}};
  return answer;
}

WebAnswer finished_answer(const LiveRun& run) {
  try {
    const Page page = run.finished();
    ReportJson blocks = ReportJson::object();
    for (const auto& [id, base64] : page.blocks) blocks[id] = base64;
    return json_answer({{"content", page.content}, {"blocks", blocks}});
  } catch (const std::exception& error) {
    return plain(404, error.what());
  }
}

}  // namespace

WebAnswer live_answer(LiveRun& run, const WebRequest& request) {
  const std::string& place = request.place;
  if (request.post) {
    if (place == "run")
      run.start();
    else if (place == "stop")
      run.stop();
    else if (place == "again")
      run.run_after_changes(request.number("on", 1) != 0);
    else
      return plain(404, "There is nothing of this name to do.");
    return json_answer(run.progress());
  }
  if (place.empty()) return page_answer(run);
  if (place == "progress") return json_answer(run.progress());
  if (place == "model") {
    ReportJson content = run.content();
    const std::shared_ptr<const LiveRows> rows = run.rows();
    if (rows != nullptr) content["channels"] = rows->names();
    return json_answer(content);
  }
  if (place == "rows") return rows_answer(run, request);
  if (place == "finished") return finished_answer(run);
  return plain(404, "There is nothing of this name.");
}

}  // namespace trammel
