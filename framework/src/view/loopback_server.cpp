// Boost.Beast's parser and writer between the socket and a handler.
#include "view/loopback_server.h"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <chrono>
#include <optional>
#include <random>
#include <string_view>

#include "trammel/error.h"

namespace trammel {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::size_t longest_header = 16 * 1024, longest_body = 4 * 1024;
constexpr int most_connections = 64;
constexpr auto patience = std::chrono::seconds(30);

std::string random_token() {
  std::random_device source;  // of the operating system
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", source());
  return token;
}

/// Takes as long for every text of this length.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different |= static_cast<unsigned char>(a[i] ^ b[i]);
  return different == 0;
}

std::string_view text(beast::string_view view) { return {view.data(), view.size()}; }

}  // namespace

long WebRequest::number(const std::string& name, long otherwise) const {
  for (const auto& [key, value] : query) {
    long read = 0;
    const char* end = value.data() + value.size();
    if (key == name && std::from_chars(value.data(), end, read).ptr == end && !value.empty()) return read;
  }
  return otherwise;
}

struct LoopbackServer::State {
  explicit State(Handler answer) : handler(std::move(answer)), acceptor(context), timer(context) {}

  std::string host(const char* name) const { return fmt::format("{}:{}", name, acceptor.local_endpoint().port()); }

  int connections = 0;  // those left count down while the context ends
  Handler handler;
  asio::io_context context{1};
  tcp::acceptor acceptor;
  asio::steady_timer timer;
  std::string token = random_token();
};

namespace {

/// Why a request is refused before anybody looks at it; nothing: it is welcome.
std::optional<WebAnswer> refusal(const http::request<http::string_body>& request, const std::string& token,
                                 const std::string& by_number, const std::string& by_name) {
  const auto refused = [](int status, const char* why) { return WebAnswer{status, "text/plain", why, {}}; };
  const std::string_view host = text(request[http::field::host]), origin = text(request[http::field::origin]),
                         site = text(request["Sec-Fetch-Site"]);
  if (host != by_number && host != by_name) return refused(403, "This address is not for that host.\n");
  const bool own = origin == "http://" + by_number || origin == "http://" + by_name;
  const bool post = request.method() == http::verb::post;
  if ((!origin.empty() && !own) || (post && !own)) return refused(403, "Only the page itself may ask for this.\n");
  if (!site.empty() && site != "same-origin" && site != "none")
    return refused(403, "Only the page itself may ask for this.\n");
  if (!post && request.method() != http::verb::get) return refused(405, "GET and POST only.\n");
  const std::string_view target = text(request.target());
  const bool named = target.size() > token.size() + 1 && target[0] == '/' &&
                     same(target.substr(1, token.size()), token) && target[token.size() + 1] == '/';
  if (!named) return refused(404, "There is nothing here. The whole address stands in the terminal.\n");
  return std::nullopt;
}

WebRequest request_of(bool post, std::string_view target) {
  WebRequest request;
  request.post = post;
  const std::size_t mark = target.find('?');
  request.place = target.substr(0, mark);
  while (mark != std::string_view::npos && !target.empty()) {
    target.remove_prefix(request.query.empty() ? mark + 1 : 0);
    const std::string_view part = target.substr(0, target.find('&'));
    const std::size_t equals = std::min(part.find('='), part.size());
    request.query.emplace_back(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())));
    target.remove_prefix(std::min(part.size() + 1, target.size()));
  }
  return request;
}

/// One connection; it keeps itself alive while something is on its way.
template <class State>
class Connection : public std::enable_shared_from_this<Connection<State>> {
 public:
  Connection(tcp::socket socket, State& state) : stream_(std::move(socket)), state_(state) { ++state_.connections; }
  ~Connection() { --state_.connections; }

  void read() {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->body_limit(longest_body);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    const http::request<http::string_body> request = parser_->release();
    std::optional<WebAnswer> answer =
        refusal(request, state_.token, state_.host("127.0.0.1"), state_.host("localhost"));
    if (!answer) {
      const std::string_view rest = text(request.target()).substr(state_.token.size() + 2);
      answer = state_.handler(request_of(request.method() == http::verb::post, rest));
    }
    response_ = {http::status(answer->status), request.version()};
    response_.set(http::field::content_type, answer->type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    for (const auto& [name, value] : answer->headers) response_.set(name, value);
    response_.keep_alive(request.keep_alive());
    response_.body() = std::move(answer->body);
    response_.prepare_payload();
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = this->shared_from_this()](beast::error_code error, std::size_t) {
      if (!error && self->response_.keep_alive()) self->read();
    });
  }

  beast::tcp_stream stream_;
  State& state_;
  beast::flat_buffer buffer_{longest_header + longest_body};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

template <class State>
void accept(State& state) {
  state.acceptor.async_accept([&state](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error && state.connections < most_connections)
      std::make_shared<Connection<State>>(std::move(socket), state)->read();
    accept(state);
  });
}

template <class State>
void look_up(State& state, const std::function<bool()>& over) {
  state.timer.expires_after(std::chrono::milliseconds(100));
  state.timer.async_wait([&state, &over](beast::error_code) {
    if (over())
      state.context.stop();
    else
      look_up(state, over);
  });
}

}  // namespace

LoopbackServer::LoopbackServer(int port, Handler handler) : state_(std::make_unique<State>(std::move(handler))) {
  const tcp::endpoint place(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
  beast::error_code error;
  tcp::acceptor& acceptor = state_->acceptor;
  acceptor.open(place.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(place, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    throw Error(ErrorKind::compute,
                fmt::format("127.0.0.1:{}: cannot be listened on: {}; choose another --port", port, error.message()));
  }
}

LoopbackServer::~LoopbackServer() = default;

std::string LoopbackServer::address() const {
  return fmt::format("http://{}/{}/", state_->host("127.0.0.1"), state_->token);
}

void LoopbackServer::serve(const std::function<bool()>& over) {
  accept(*state_);
  look_up(*state_, over);
  state_->context.run();
}

}  // namespace trammel
