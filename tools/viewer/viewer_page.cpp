// Inserts title, style, JSON, arrays and script at the places marked @NAME@ in the embedded HTML.
#include "viewer_page.h"

#include "femflex/text.h"

#include "document/json_in_html.h"
#include "viewer_assets.h"

namespace femflex::viewer {
namespace {

using tools::Json;

std::string joined_pieces(std::span<const std::string_view> pieces) {
  std::string out;
  for (const std::string_view piece : pieces)
    out += piece;
  return out;
}

}  // namespace

View mode_view(const FlexBody& body, Blobs& blobs) {
  View view;
  view.title = body.name.empty() ? "body" : body.name;
  view.data["kind"] = "modes";
  view.data["title"] = view.title;
  view.data["bodies"] = Json::list();
  view.data["bodies"].push_back(body_json(view.title, body, blobs));
  return view;
}

std::string page_of(const std::vector<View>& views, const Blobs& blobs) {
  Json data = Json::object();
  std::string title;
  data["views"] = Json::list();
  for (const View& view : views) {
    title += (title.empty() ? "" : " | ") + view.title;
    data["views"].push_back(view.data);
  }
  const std::string json = tools::json_in_html(data.dump_line());
  const std::string text = joined_pieces(page_text());
  const std::string safe_title = xml_escaped(title);
  const auto value_of = [&](std::string_view placeholder) {
    if (placeholder == "@TITLE@") return safe_title;
    if (placeholder == "@STYLE@") return joined_pieces(style_text());
    if (placeholder == "@DATA@") return json;
    if (placeholder == "@BLOBS@") return blobs.html();
    if (placeholder == "@SCRIPT@") return joined_pieces(script_text());
    return std::string(placeholder);
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('@', at);
    const std::size_t close = open == std::string::npos ? open : text.find('@', open + 1);
    if (close == std::string::npos) {
      out += text.substr(at);
      break;
    }
    const std::string_view placeholder(text.data() + open, close - open + 1);
    out += text.substr(at, open - at) + value_of(placeholder);
    at = close + 1;
  }
  return out;
}

}  // namespace femflex::viewer
