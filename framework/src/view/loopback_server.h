// LoopbackServer: HTTP for one page on this machine, for nobody else and for no other page.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trammel {

struct WebRequest {
  bool post = false;
  std::string place;  ///< behind the token: "" is the page, "rows", ...
  std::vector<std::pair<std::string, std::string>> query;

  /// Number of a query's entry; `otherwise` if it is not there or no number.
  long number(const std::string& name, long otherwise) const;
};

struct WebAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Listens on 127.0.0.1 only. Its address has a random token; requests without it, with another Host (a name that was
/// made to point here), or from the page of another Origin are refused, as is everything that is too long or too slow.
class LoopbackServer {
 public:
  using Handler = std::function<WebAnswer(const WebRequest&)>;

  /// `port` 0: any that is free. Throws Error(compute): the port is taken, or may not be used.
  LoopbackServer(int port, Handler handler);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  /// "http://127.0.0.1:40123/3f...e1/"
  std::string address() const;
  /// Answers, on this thread, until `over()` is true, which is asked every tenth of a second.
  void serve(const std::function<bool()>& over);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trammel
