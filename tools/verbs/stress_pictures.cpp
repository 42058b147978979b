// Converts peaks, damage and stresses at chosen instants to fields on nodes and elements.
#include "verbs/stress_pictures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "femflex/durability/critical_plane.h"
#include "femflex/errors.h"
#include "femflex/flexfile/field_pictures.h"
#include "femflex/io/atomic_file.h"

#include "document/durability_json.h"
#include "results/stress_fields.h"
#include "viewer/playback.h"
#include "viewer/stress_view.h"

namespace femflex::verbs {
namespace {

using durability::LocationPeaks;
using durability::ModalStress;
using durability::SixHistories;
using durability::StressLocation;
using durability::StressSource;
using tools::PictureOfPlaces;
using tools::StressField;

/// Number of elements whose stresses are computed at once.
constexpr std::size_t kPictureBlock = 64;
/// Largest number of frames of a `.pvd` file, for a film of four seconds.
constexpr Eigen::Index kFrames = 100;
/// Largest number of values of all fields in memory at once: 160 MB.
constexpr std::size_t kHeldNumbers = 20'000'000;

/// Calls `each` with every location and its stress invariants, one value per column of
/// `coordinates`.
/// @param coordinates  (shapes x columns)
template <class Each>
void for_each_von_mises(const StressSource& source,
                        const Eigen::MatrixXd& coordinates,
                        const Each& each) {
  durability::Invariants scalars;
  for (std::size_t first = 0; first < source.size(); first += kPictureBlock) {
    const ModalStress block = source.stress(first, std::min(source.size(), first + kPictureBlock));
    const Eigen::MatrixXd values = (block.S * coordinates).transpose();
    for (const StressLocation& at : block.locations) {
      SixHistories six{};
      for (std::size_t c = 0; c < 6; ++c)
        if (at.rows[c] >= 0) six[c] = values.col(at.rows[c]).data();
      durability::compute_invariants(six, values.rows(), scalars);
      each(at, scalars);
    }
  }
}

/// One field of von Mises stress for each column of `coordinates`.
std::vector<StressField> von_mises_fields(const PictureOfPlaces& places,
                                          const StressSource& source,
                                          const Eigen::MatrixXd& coordinates) {
  std::vector<StressField> out;
  for (Eigen::Index k = 0; k < coordinates.cols(); ++k)
    out.push_back(places.make("von_mises", "Pa"));
  for_each_von_mises(
      source, coordinates, [&](const StressLocation& at, const durability::Invariants& scalars) {
        for (Eigen::Index k = 0; k < coordinates.cols(); ++k)
          places.put(at, std::abs(scalars.signed_von_mises[k]), out[static_cast<std::size_t>(k)]);
      });
  for (StressField& field : out)
    places.complete(field);
  return out;
}

flexfile::PictureField picture_field(StressField field) {
  return {std::move(field.name), std::move(field.at_nodes), std::move(field.at_elements)};
}

viewer::PageField page_field(const StressField& field, std::string name, bool is_logarithmic) {
  return {std::move(name), field.unit, is_logarithmic, {field.at_nodes}};
}

/// Translations of all nodes for the modal coordinates `zeta`. A coordinate behind them is that of
/// a preload, which moves nothing.
Eigen::VectorXd translations(const Eigen::MatrixXd& shapes, const Eigen::VectorXd& zeta) {
  const Eigen::VectorXd u = shapes * zeta.head(shapes.cols());
  Eigen::VectorXd out(u.size() / 2);
  for (Eigen::Index k = 0; k < u.size() / 6; ++k)
    out.segment<3>(3 * k) = u.segment<3>(6 * k);
  return out;
}

/// The body to draw; if it has no elements, it gets those of the model.
FlexBody picture_of_body(const FlexBody& body, const FeModel& model) {
  FlexBody out = body;
  if (out.elements.empty()) out.elements = model.elements;
  return out;
}

FlexBody picture_of_model(const FeModel& model, const ShapeSubject& subject) {
  FlexBody out;
  out.name = model.name;
  out.nodes = subject.shapes->nodes;
  out.shapes = subject.shapes->shapes;
  out.elements = model.elements;
  const double rate = 1.0 / model.units->time;
  for (const ModeInfo& mode : model.modes.modes) {
    BodyMode each;
    each.kind = mode.kind;
    each.sources = {label_of(mode)};
    each.eigenvalue = mode.eigenvalue * rate * rate;
    out.modes.push_back(std::move(each));
  }
  return out;
}

std::string spot_text(const StressSource& source, const StressLocation& at) {
  const std::string face = durability::face_of(at);
  std::string out =
      at.point.place == elements::Place::node
          ? fmt::format("node {}", at.node)
          : fmt::format("{} {}, {}", source.type(at.element), source.id(at.element), place_of(at));
  if (face != "none") out += ", " + face;
  return out;
}

void write_vtk(const FlexBody& picture,
               std::size_t count,
               const std::function<flexfile::PictureFrame(std::size_t)>& frame_of,
               const std::filesystem::path& path) {
  if (path.extension() == ".pvd") return write_field_pvd(picture, count, frame_of, path);
  throw UsageError("usage",
                   fmt::format("'{}' is not a picture that can be written", path.string()),
                   {},
                   "name a .vtu (one picture) or a .pvd (a series of them)");
}

/// Indices of the rows of a run that become frames of a film.
std::vector<Eigen::Index> rows_of_frames(Eigen::Index count) {
  return viewer::frames_of(count, kFrames);
}

/// Adds to `spot` the history of the criterion at the location of `peaks`, and its cycles.
void add_history(const StressRequest& request,
                 const StressSource& source,
                 const RunSubject& subject,
                 const LocationPeaks& peaks,
                 viewer::PageSpot& spot) {
  const std::size_t k = peaks.location.element;
  const ModalStress block = source.stress(k, k + 1);
  for (const StressLocation& at : block.locations) {
    const StressLocation& wanted = peaks.location;
    const bool is_same =
        at.point.place == wanted.point.place && at.point.index == wanted.point.index &&
        at.point.layer == wanted.point.layer && at.point.fibre == wanted.point.fibre &&
        at.ply == wanted.ply && at.node == wanted.node;
    if (!is_same) continue;
    const Eigen::MatrixXd values = subject.zeta * block.S.transpose();
    SixHistories six{};
    for (std::size_t c = 0; c < 6; ++c)
      if (at.rows[c] >= 0) six[c] = values.col(at.rows[c]).data();
    if (request.criterion == durability::Criterion::critical_plane) {
      spot.history = durability::normal_stress(six, values.rows(), peaks.plane);
    } else {
      spot.history = durability::counted_history(request.criterion, six, values.rows(), peaks);
    }
    spot.cycles = durability::collected(durability::rainflow(
        {spot.history.data(), static_cast<std::size_t>(spot.history.size())}, request.residue));
    std::erase_if(spot.cycles, [](const durability::Cycle& cycle) { return cycle.range <= 0.0; });
    return;
  }
}

std::vector<viewer::PageSpot> page_spots(const StressRequest& request,
                                         const StressSource& source,
                                         const PictureOfPlaces& places,
                                         const RunSubject& subject,
                                         const std::vector<LocationPeaks>& spots) {
  std::vector<viewer::PageSpot> out;
  for (const LocationPeaks& each : spots) {
    viewer::PageSpot spot;
    spot.place = spot_text(source, each.location);
    spot.node = places.node_at(each.location);
    spot.von_mises = each.von_mises.value;
    spot.time = each.von_mises.time;
    if (request.curve) spot.damage = each.damage;
    switch (request.criterion) {
      case durability::Criterion::signed_von_mises:
        spot.criterion = "signed von Mises stress";
        break;
      case durability::Criterion::principal:
        spot.criterion = "largest principal stress";
        break;
      case durability::Criterion::critical_plane:
        spot.criterion = "stress normal to the critical plane";
        break;
    }
    add_history(request, source, subject, each, spot);
    out.push_back(std::move(spot));
  }
  return out;
}

void write_run_picture(const StressRequest& request,
                       const StressSource& source,
                       const PictureOfPlaces& places,
                       const RunSubject& subject,
                       const FlexBody& picture,
                       const std::vector<StressField>& peaks) {
  std::vector<flexfile::PictureField> of_run;
  for (const StressField& field : peaks)
    of_run.push_back(picture_field(field));
  if (request.picture->extension() == ".vtu") {
    flexfile::write_field_vtu(picture, {0.0, {}, of_run}, *request.picture);
    return;
  }
  const std::vector<Eigen::Index> rows = rows_of_frames(subject.time.size());
  const std::size_t numbers = peaks.front().at_nodes.size() + peaks.front().at_elements.size();
  const std::size_t held =
      std::max<std::size_t>(1, kHeldNumbers / std::max<std::size_t>(1, numbers));
  std::vector<StressField> fields;
  write_vtk(
      picture,
      rows.size(),
      [&](std::size_t k) {
        if (k % held == 0) {
          const std::size_t last = std::min(rows.size(), k + held);
          Eigen::MatrixXd zeta(subject.zeta.cols(), static_cast<Eigen::Index>(last - k));
          for (std::size_t r = k; r < last; ++r)
            zeta.col(static_cast<Eigen::Index>(r - k)) = subject.zeta.row(rows[r]).transpose();
          fields = von_mises_fields(places, source, zeta);
        }
        flexfile::PictureFrame frame;
        frame.time = subject.time[rows[k]];
        frame.displacement = translations(picture.shapes, subject.zeta.row(rows[k]).transpose());
        frame.fields = of_run;
        frame.fields.push_back(picture_field(std::move(fields[k % held])));
        return frame;
      },
      *request.picture);
}

void write_run_page(const StressRequest& request,
                    const RunSubject& subject,
                    const std::vector<StressField>& peaks,
                    const std::vector<viewer::PageSpot>& spots) {
  const auto* path = std::get_if<std::filesystem::path>(&subject.result);
  if (path == nullptr)
    throw UsageError("usage",
                     "--view needs the file of a run, which holds its picture",
                     {},
                     "write the result to a file first");
  viewer::Blobs blobs;
  std::vector<std::filesystem::path> flex;
  if (request.flex)
    if (const auto* file = std::get_if<std::filesystem::path>(&*request.flex)) flex = {*file};
  viewer::View view = viewer::playback_view(tools::read_results(*path), {*path, flex}, blobs);
  std::vector<viewer::PageField> fields;
  for (const StressField& field : peaks)
    fields.push_back(page_field(field,
                                field.name == "damage" ? "damage" : "von Mises, peak of the run",
                                field.name == "damage"));
  viewer::add_stress(view, subject.name, fields, spots, subject.time, blobs);
  io::write_file(*request.page, viewer::page_of({view}, blobs));
}

}  // namespace

void picture_shapes(const StressRequest& request,
                    const StressSource& source,
                    const ShapeSubject& subject,
                    const std::vector<tools::ShapeStress>& largest,
                    StressOutcome& out) {
  const FlexBody picture = subject.body != nullptr ? picture_of_body(*subject.body, *subject.model)
                                                   : picture_of_model(*subject.model, subject);
  const auto count = static_cast<Eigen::Index>(subject.labels.size());
  if (picture.mode_count() != count)
    throw UsageError(
        "usage",
        fmt::format(
            "{} of {} shapes have stresses: they cannot be drawn", count, picture.mode_count()),
        {},
        "compute stresses of all shapes: --source computed");
  const PictureOfPlaces places(picture, source);
  const std::vector<StressField> fields =
      von_mises_fields(places, source, Eigen::MatrixXd::Identity(count, count));
  if (request.page) {
    viewer::Blobs blobs;
    viewer::View view = viewer::mode_view(picture, blobs);
    viewer::PageField field{"von Mises of the shape", "Pa", false, {}};
    for (const StressField& each : fields)
      field.at_nodes.push_back(each.at_nodes);
    std::vector<viewer::PageSpot> spots;
    for (std::size_t k = 0; k < largest.size(); ++k) {
      if (largest[k].shape.empty()) continue;
      viewer::PageSpot spot;
      spot.place = fmt::format("{}: {}", largest[k].shape, spot_text(source, largest[k].location));
      spot.node = places.node_at(largest[k].location);
      spot.von_mises = largest[k].von_mises;
      spot.mode = static_cast<std::int64_t>(k);
      spots.push_back(std::move(spot));
    }
    viewer::add_stress(view, view.title, {field}, spots, Eigen::VectorXd(), blobs);
    io::write_file(*request.page, viewer::page_of({view}, blobs));
    out.outputs.push_back(request.page->string());
  }
  if (!request.picture) return;
  out.outputs.push_back(request.picture->string());
  if (request.picture->extension() == ".vtu") {
    flexfile::PictureFrame frame;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      frame.fields.push_back(picture_field(fields[k]));
      frame.fields.back().name = fmt::format("von_mises_{:03}", k + 1);
    }
    return flexfile::write_field_vtu(picture, frame, *request.picture);
  }
  write_vtk(
      picture,
      fields.size(),
      [&](std::size_t k) {
        flexfile::PictureFrame frame;
        frame.time = static_cast<double>(k + 1);
        frame.displacement = translations(
            picture.shapes, Eigen::VectorXd::Unit(count, static_cast<Eigen::Index>(k)));
        frame.fields = {picture_field(fields[k])};
        return frame;
      },
      *request.picture);
}

void picture_run(const StressRequest& request,
                 const StressSource& source,
                 const RunSubject& subject,
                 const durability::RunStress& run,
                 const std::vector<LocationPeaks>& spots,
                 StressOutcome& out) {
  const FlexBody picture = picture_of_body(subject.body, subject.model);
  const PictureOfPlaces places(picture, source);
  std::vector<StressField> peaks = {places.make("von_mises_peak", "Pa")};
  if (request.curve) peaks.push_back(places.make("damage", ""));
  for (const LocationPeaks& each : run.locations) {
    places.put(each.location, each.von_mises.value, peaks[0]);
    if (request.curve) places.put(each.location, each.damage, peaks[1]);
  }
  for (StressField& field : peaks)
    places.complete(field);
  std::vector<viewer::PageSpot> listed;
  if (request.page || request.with_report)
    listed = page_spots(request, source, places, subject, spots);
  if (request.picture) {
    write_run_picture(request, source, places, subject, picture, peaks);
    out.outputs.push_back(request.picture->string());
  }
  if (request.page) {
    write_run_page(request, subject, peaks, listed);
    out.outputs.push_back(request.page->string());
  }
  if (!request.with_report) return;
  StressPage page;
  page.title = fmt::format("Stresses of {}", subject.name);
  page.body = subject.name;
  page.source = out.text.substr(0, out.text.find('\n'));
  if (request.curve) page.curve = tools::read_curve(*request.curve).curve.name;
  page.places = run.locations.size();
  page.spots = listed;
  page.time = subject.time;
  out.page = std::move(page);
}

}  // namespace femflex::verbs
