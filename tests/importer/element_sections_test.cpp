// Tests materials, properties and sections of elements, read from cards and keywords, stored in the
// model and read back from its file. Truth: the numbers in the decks, and closed forms of sections.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/importer/fe_model_file.h"
#include "femflex/importer/import_model.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::tolerance;

class ElementSections : public ::testing::Test {
 protected:
  FeModel import_text(const std::string& name, const std::string& text) {
    testing::write_text(folder_ / name, text);
    diagnostics_ = {};
    ImportRequest request;
    request.files = {folder_ / name};
    return import_model(request, diagnostics_).model;
  }
  /// True if the last deck gave this warning.
  bool warned(const std::string& code) const {
    const auto& all = diagnostics_.warnings();
    return std::any_of(
        all.begin(), all.end(), [&](const auto& warning) { return warning.code == code; });
  }
  testing::TemporaryFolder folder_;
  Diagnostics diagnostics_;
};

const ElementSection& section_of(const FeModel& model, std::int64_t element) {
  const auto& all = model.properties.elements;
  return *std::find_if(
      all.begin(), all.end(), [&](const ElementSection& e) { return e.element == element; });
}

const FeProperty& property_of(const FeModel& model, std::int64_t element) {
  return model.properties.properties[static_cast<std::size_t>(section_of(model, element).property)];
}

const std::string kBulk =
    "CEND\n"
    "BEGIN BULK\n"
    "CORD2R,5,,0.,0.,0.,0.,0.,1.,\n"
    ",0.,1.,0.\n"
    "CORD2C,6,,0.,0.,0.,0.,0.,1.,\n"
    ",1.,0.,0.\n"
    "GRID,1,,0.,0.,0.\n"
    "GRID,2,,1.,0.,0.\n"
    "GRID,3,,1.,1.,0.\n"
    "GRID,4,,0.,1.,0.\n"
    "GRID,5,,0.,0.,1.,5\n"
    "GRID,6,,1.,0.,1.\n"
    "GRID,7,,1.,1.,1.\n"
    "GRID,8,,0.,1.,1.\n"
    "MAT1,1,2.1E5,,0.3,7.85E-9\n"
    "MAT8,2,1.E5,1.E4,0.3,5.E3,,,1.6E-9\n"
    "PSHELL,10,1,2.5,1,,1\n"
    "PSHELL,11,2,3.0,2,,,,,+\n"
    "+,-1.,1.5\n"
    "PSHELL,12,1,1.0\n"
    "PSHELL,13,1,1.0,2\n"
    "PCOMP,14,,,,,,,,+\n"
    "+,1,0.1,0.,YES\n"
    "PSOLID,20,1\n"
    "PBAR,30,1,10.,20.,30.,40.,,,+\n"
    "+,1.,2.,-1.,2.,-1.,-2.,1.,-2.,+\n"
    "+,0.8,0.9,5.\n"
    "PBARL,31,1,,BAR,,,,,+\n"
    "+,4.,6.\n"
    "PBARL,32,1,,HAT,,,,,+\n"
    "+,4.,6.,1.,1.\n"
    "PBEAM,33,1,10.,20.,30.,,40.,,+\n"
    "+,3.,4.,-3.,4.,-3.,-4.,3.,-4.,+\n"
    "+,YES,1.,10.,20.,30.,,40.,,+\n"
    "+,3.,4.,-3.,4.,-3.,-4.,3.,-4.,+\n"
    "+,,,,,,,,,+\n"
    "+,,,,,1.,2.,1.,2.\n"
    "PBEAM,34,1,10.,20.,30.,,40.,,+\n"
    "+,,,,,,,,,+\n"
    "+,NO,1.,5.,20.,30.,,40.\n"
    "PBEAML,35,1,,ROD,,,,,+\n"
    "+,2.\n"
    "PROD,40,1,7.,8.,9.\n"
    "CQUAD4,1,10,1,2,3,4,30.,0.2\n"
    "CQUAD4,2,11,1,2,3,4,5\n"
    "CTRIA3,3,12,1,2,3\n"
    "CQUAD4,4,13,1,2,3,4\n"
    "CQUAD4,5,14,1,2,3,4\n"
    "CHEXA,6,20,1,2,3,4,5,6\n"
    ",7,8\n"
    "CBAR,7,30,1,2,0.,1.,0.,,+\n"
    "+,45,6,0.,0.1,0.,0.,0.2,0.\n"
    "CBAR,8,31,5,6,1.,0.,0.\n"
    "CBAR,9,32,1,2,3\n"
    "CBEAM,10,33,1,2,4\n"
    "CBEAM,11,34,1,2,4\n"
    "CBEAM,12,35,1,2,4\n"
    "CROD,13,40,1,2\n"
    "CONROD,14,1,2,1,11.,12.,13.\n"
    "CROD,15,99,1,2\n"
    "CQUAD4,16,11,1,2,3,4,6\n"
    "ENDDATA\n";

// A value that is given but cannot be read does not become that of the property.
TEST_F(ElementSections, OffsetOrThicknessThatIsNoNumberIsNotBlank) {
  std::string deck = kBulk;
  deck.replace(deck.find("CQUAD4,16,11,1,2,3,4,6\n"), 23, "CQUAD4,16,11,1,2,3,4,6,0.1x\n");
  const FeModel model = import_text("offset.bdf", deck);
  EXPECT_TRUE(std::isinf(section_of(model, 16).offset));
  deck.replace(deck.find(",0.1x\n"), 7, ",,\n,,,2..,2.,2.,2.\n");
  const FeModel thick = import_text("thick.bdf", deck);
  EXPECT_TRUE(std::isnan(section_of(thick, 16).offset));
  EXPECT_TRUE(std::isinf(section_of(thick, 16).thickness));
}

// Truth: a blank T1, ... is that of the property; with TFLAG = 1 they are shares of it. PSHELL 11
// is 3 thick.
TEST_F(ElementSections, CornersOfShellsHaveTheirOwnThickness) {
  const auto thickness = [&](const std::string& fields) {
    std::string deck = kBulk;
    deck.replace(deck.find("CQUAD4,16,11,1,2,3,4,6\n"), 23, "CQUAD4,16,11,1,2,3,4,6\n" + fields);
    return section_of(import_text("corners.bdf", deck), 16).thickness;
  };
  EXPECT_TRUE(std::isnan(thickness("")));
  EXPECT_DOUBLE_EQ(thickness(",,0,1.,2.,3.,4.\n"), 2.5);
  EXPECT_DOUBLE_EQ(thickness(",,,1.,2.,3.,6.\n"), 3.0);
  EXPECT_DOUBLE_EQ(thickness(",,,,,,4.5\n"), 3.375);
  EXPECT_DOUBLE_EQ(thickness(",,1,1.,,2.,4.\n"), 6.0);
}

// Truth: fields of the cards, as the quick reference guide lists them.
TEST_F(ElementSections, OfBulkData) {
  const FeModel model = import_text("deck.bdf", kBulk);
  ASSERT_EQ(model.properties.materials.size(), 2U);
  EXPECT_EQ(model.properties.materials[0].constants[0], 2.1e5);
  EXPECT_EQ(model.properties.materials[0].constants[1], 0.3);
  EXPECT_TRUE(std::isnan(model.properties.materials[0].constants[2]));
  EXPECT_EQ(model.properties.materials[0].density, 7.85e-9);
  EXPECT_EQ(model.properties.materials[1].kind, FeMaterial::Kind::sheet);
  EXPECT_EQ(model.properties.materials[1].constants[3], 5e3);
  EXPECT_EQ(model.properties.materials[1].density, 1.6e-9);

  EXPECT_EQ(property_of(model, 1).thickness, 2.5);
  EXPECT_EQ(property_of(model, 1).material, "1");
  EXPECT_NEAR(section_of(model, 1).angle, std::numbers::pi / 6.0, tolerance(1e-15));
  EXPECT_EQ(section_of(model, 1).offset, 0.2);
  EXPECT_EQ(property_of(model, 2).fibres[0], -1.0);
  EXPECT_EQ(property_of(model, 2).fibres[1], 1.5);
  EXPECT_TRUE(section_of(model, 2).direction.isApprox(Eigen::Vector3d::UnitY()));  // x of system 5
  EXPECT_TRUE(std::isinf(section_of(model, 16).direction.x()));                    // cylindrical
  EXPECT_EQ(property_of(model, 3).fibres[0], 0.0);                                 // a membrane
  EXPECT_EQ(property_of(model, 4).refusal, "MID2 differs from MID1");
  EXPECT_EQ(property_of(model, 5).refusal, "plies of laminates are not supported");
  EXPECT_EQ(property_of(model, 6).kind, FeProperty::Kind::solid);
  EXPECT_EQ(section_of(model, 6).integration, ElementIntegration::incompatible);
  EXPECT_EQ(property_of(model, 13).area, 7.0);
  EXPECT_EQ(property_of(model, 13).torsion_radius, 9.0);
  EXPECT_EQ(property_of(model, 14).area, 11.0);
  EXPECT_NE(property_of(model, 15).refusal.find("property 99 is missing"), std::string::npos);
}

// Truth: fields of the cards; 4 x 6 rectangle, circle of radius 2.
TEST_F(ElementSections, OfBarsAndBeams) {
  const FeModel model = import_text("deck.bdf", kBulk);
  const FeProperty& bar = property_of(model, 7);
  EXPECT_EQ(bar.area, 10.0);
  EXPECT_EQ(bar.I2, 30.0);
  EXPECT_EQ(bar.shear_factors[1], 0.9);
  EXPECT_EQ(bar.I12, 5.0);
  ASSERT_EQ(bar.points.size(), 4U);
  EXPECT_EQ(bar.points[1], Eigen::Vector2d(-1.0, 2.0));
  const ElementSection& section = section_of(model, 7);
  EXPECT_EQ(section.released[0], 0b11000);
  EXPECT_EQ(section.released[1], 0b100000);
  EXPECT_EQ(section.ends[0], Eigen::Vector3d(0, 0.1, 0));
  EXPECT_EQ(section.ends[1], Eigen::Vector3d(0, 0.2, 0));
  EXPECT_EQ(section.direction, Eigen::Vector3d::UnitY());
  // grid 5 has system 5, whose x is basic y
  EXPECT_TRUE(section_of(model, 8).direction.isApprox(Eigen::Vector3d::UnitY()));
  EXPECT_EQ(section_of(model, 9).direction, Eigen::Vector3d(1, 1, 0));  // G0

  const FeProperty& rectangle = property_of(model, 8);
  EXPECT_EQ(rectangle.area, 24.0);
  EXPECT_NEAR(rectangle.I1, 4.0 * 216.0 / 12.0, tolerance(1e-14));
  EXPECT_NEAR(rectangle.I2, 6.0 * 64.0 / 12.0, tolerance(1e-14));
  EXPECT_NEAR(rectangle.J, 0.196 * 6.0 * 64.0, tolerance(0.2));  // Timoshenko's table, h/b = 1.5
  EXPECT_EQ(rectangle.shear_factors[0], 5.0 / 6.0);
  EXPECT_EQ(property_of(model, 9).refusal, "sections of type HAT are not supported");
  const FeProperty& beam = property_of(model, 10);
  EXPECT_EQ(beam.refusal, "");
  EXPECT_EQ(beam.shear_factors[0], 1.0);
  EXPECT_EQ(beam.centroid[1], 2.0);
  EXPECT_EQ(beam.points[0], Eigen::Vector2d(2.0, 2.0));  // from the centroid
  EXPECT_EQ(property_of(model, 11).refusal, "a tapered beam is not supported");
  EXPECT_NEAR(property_of(model, 12).I1, 4.0 * std::numbers::pi, tolerance(1e-13));
}

// Truth: the quick reference guide: what CBAR leaves blank is that of BAROR (CBEAM: BEAMOR),
// wherever it stands; what it gives stays; without PID in both, the property has the id of the
// element.
TEST_F(ElementSections, BlankFieldsOfBarsAreThoseOfBaror) {
  const auto with = [&](const std::string& cards) {
    std::string deck = kBulk;
    deck.replace(deck.find("ENDDATA"), 7, cards + "ENDDATA");
    return import_text("baror.bdf", deck);
  };
  const std::string bars =
      "CBAR,220,,1,2\n"             // all from BAROR
      "CBAR,21,31,1,2,,1.\n"        // property and X2 of its own
      "CBAR,22,,1,2,4\n"            // G0 of its own
      "CBAR,23,,5,6,,,,GGG\n"       // OFFT of its own: the vector is in the system of grid 5
      "CBEAM,24,33,1,2,0.,1.,0.\n"  // BAROR is not for beams
      "CBAR,30,,1,2,0.,1.,0.\n";
  const FeModel model = with("BAROR,,30,,,0.,2.,3.,BGG\n" + bars);
  EXPECT_EQ(property_of(model, 220).name, "30");
  EXPECT_EQ(section_of(model, 220).direction, Eigen::Vector3d(0, 2, 3));
  EXPECT_EQ(property_of(model, 21).name, "31");
  EXPECT_EQ(section_of(model, 21).direction, Eigen::Vector3d(0, 1, 3));
  EXPECT_EQ(section_of(model, 22).direction, Eigen::Vector3d(0, 1, 0));
  EXPECT_TRUE(section_of(model, 23).direction.isApprox(Eigen::Vector3d(-2, 0, 3)));
  EXPECT_EQ(section_of(model, 24).direction, Eigen::Vector3d::UnitY());

  const FeModel behind = with(bars + "BAROR,,30,,,0.,2.,3.,BGG\n");
  for (const std::int64_t id : {220, 21, 22, 23, 30}) {
    EXPECT_EQ(property_of(behind, id).name, property_of(model, id).name) << id;
    EXPECT_EQ(section_of(behind, id).direction, section_of(model, id).direction) << id;
  }
  const FeModel node = with(bars + "BAROR,,,,,3\nBEAMOR,,35,,,1.,0.,0.\nCBEAM,25,,1,2\n");
  EXPECT_EQ(section_of(node, 220).direction, Eigen::Vector3d(1, 1, 0));
  EXPECT_NE(property_of(node, 220).refusal.find("property 220 is missing"), std::string::npos);
  EXPECT_EQ(property_of(node, 30).name, "30");
  EXPECT_EQ(property_of(node, 25).name, "35");
  EXPECT_EQ(section_of(node, 25).direction, Eigen::Vector3d::UnitX());
  // without defaults there is no orientation
  EXPECT_TRUE(std::isnan(section_of(with(bars), 220).direction.x()));
}

const std::string kInp =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=A\n1,1,2,3,4,5,6,7,8\n"
    "*ELEMENT, TYPE=C3D8R, ELSET=A\n2,1,2,3,4,5,6,7,8\n"
    "*ELEMENT, TYPE=C3D8I, ELSET=W\n3,1,2,3,4,5,6,7,8\n"
    "*ELEMENT, TYPE=S4, ELSET=S\n4,1,2,3,4\n"
    "*ELEMENT, TYPE=S4R, ELSET=L\n5,1,2,3,4\n"
    "*ELEMENT, TYPE=B31, ELSET=B\n6,1,2\n"
    "*ELEMENT, TYPE=T3D2, ELSET=T\n7,1,2\n"
    "*ELEMENT, TYPE=B31, ELSET=C\n8,1,2\n"
    "*ELEMENT, TYPE=B33, ELSET=C\n9,1,2\n"
    "*SOLID SECTION, ELSET=A, MATERIAL=Steel\n"
    "*SOLID SECTION, ELSET=W, MATERIAL=WOOD, ORIENTATION=GRAIN\n"
    "*SHELL SECTION, ELSET=S, MATERIAL=STEEL, OFFSET=0.5\n0.1\n"
    "*SHELL SECTION, ELSET=L, COMPOSITE\n0.1,,STEEL\n"
    "*BEAM SECTION, ELSET=B, MATERIAL=STEEL, SECTION=RECT\n0.2,0.1\n0.,1.,0.\n"
    "*BEAM SECTION, ELSET=C, MATERIAL=STEEL, SECTION=CIRC\n0.2,0.2\n0.,1.,0.\n"
    "*SOLID SECTION, ELSET=T, MATERIAL=STEEL\n0.03\n"
    "*ORIENTATION, NAME=GRAIN\n0.,1.,0.,-1.,0.,0.\n3,90.\n"
    "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1E11,0.3,20.\n2.0E11,0.3,200.\n*DENSITY\n7850.\n"
    "*MATERIAL, NAME=WOOD\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
    "1.1E10,9E8,5E8,0.4,0.35,0.45,7E8,6E8\n8E7\n";

// Truth: the lines of the deck; CalculiX's sign of OFFSET.
TEST_F(ElementSections, OfDecksOfCalculix) {
  const FeModel model = import_text("deck.inp", kInp);
  ASSERT_EQ(model.properties.materials.size(), 2U);
  EXPECT_EQ(model.properties.materials[0].constants[0], 2.1e11);
  EXPECT_EQ(model.properties.materials[0].density, 7850.0);
  EXPECT_EQ(model.properties.materials[1].kind, FeMaterial::Kind::solid);
  EXPECT_EQ(model.properties.materials[1].constants[8], 8e7);
  EXPECT_EQ(section_of(model, 1).integration, ElementIntegration::full);
  EXPECT_EQ(section_of(model, 2).integration, ElementIntegration::reduced);
  EXPECT_EQ(section_of(model, 3).integration, ElementIntegration::incompatible);
  EXPECT_EQ(property_of(model, 1).material, "STEEL");
  // x' = y, y' = -x, then 90 degrees about z'
  EXPECT_TRUE(property_of(model, 3).axes.col(0).isApprox(-Eigen::Vector3d::UnitX()));
  EXPECT_EQ(property_of(model, 4).thickness, 0.1);
  EXPECT_EQ(property_of(model, 4).offset, -0.05);
  EXPECT_EQ(property_of(model, 5).refusal, "plies of laminates are not supported");
  EXPECT_EQ(section_of(model, 5).integration, ElementIntegration::reduced);
  const FeProperty& beam = property_of(model, 6);
  EXPECT_NEAR(beam.I1, 0.1 * 0.008 / 12.0, tolerance(1e-18));  // axis 1 is the higher side
  EXPECT_EQ(section_of(model, 6).direction, Eigen::Vector3d::UnitY());
  EXPECT_NEAR(property_of(model, 8).J, std::numbers::pi * 1e-4 / 2.0, tolerance(1e-18));
  EXPECT_EQ(property_of(model, 7).area, 0.03);
  EXPECT_EQ(beam.shear_factors[0], 1.0);
  EXPECT_TRUE(std::isnan(property_of(model, 9).shear_factors[0]));  // B33 is rigid in shear
  EXPECT_EQ(property_of(model, 9).area, property_of(model, 8).area);
}

/// The deck of one program: *PREPRINT is a keyword of Abaqus, SOLVER= a parameter of CalculiX.
std::string for_abaqus(const std::string& deck) {
  return "*PREPRINT, ECHO=NO\n" + deck;
}
std::string for_calculix(const std::string& deck) {
  return deck + "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n";
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  return text.replace(text.find(old), old.size(), by);
}

// Truth: the manuals: CalculiX gives an ellipse by its diameters, Abaqus a circle by its radius.
// Factors of shear: of Cowper with nu = 0.3, as in the manual of Abaqus.
TEST_F(ElementSections, CirclesHaveTheSizeOfTheirProgram) {
  const std::string one = replaced(kInp, "SECTION=CIRC\n0.2,0.2\n", "SECTION=CIRC\n0.2\n");
  const double pi = std::numbers::pi;
  const FeModel calculix = import_text("deck.inp", for_calculix(one));
  EXPECT_NEAR(property_of(calculix, 8).area, pi * 0.01, tolerance(1e-15));
  EXPECT_EQ(property_of(calculix, 8).shear_factors[0], 1.0);
  EXPECT_FALSE(warned("circle-size"));
  const FeModel abaqus = import_text("deck.inp", for_abaqus(one));
  EXPECT_NEAR(property_of(abaqus, 8).area, pi * 0.04, tolerance(1e-15));
  EXPECT_NEAR(property_of(abaqus, 8).points[0].norm(), 0.2, tolerance(1e-15));
  EXPECT_EQ(property_of(abaqus, 8).shear_factors[0], 0.89);
  EXPECT_EQ(property_of(abaqus, 6).shear_factors[0], 0.85);
  EXPECT_TRUE(std::isnan(property_of(abaqus, 9).shear_factors[0]));
  EXPECT_NEAR(property_of(abaqus, 6).area, 0.02, tolerance(1e-15));
  EXPECT_FALSE(warned("circle-size"));
  // an ellipse is not a section of Abaqus
  EXPECT_NE(property_of(import_text("deck.inp", for_abaqus(kInp)), 8).refusal, "");
  // a deck that could be for either program
  const FeModel either = import_text("deck.inp", one);
  EXPECT_NEAR(property_of(either, 8).area, pi * 0.01, tolerance(1e-15));
  EXPECT_TRUE(warned("circle-size"));
}

// Truth: the manual of Abaqus: SPOS is 0.5, SNEG is -0.5; a distribution is not read.
TEST_F(ElementSections, OffsetsOfShellsMayBeWords) {
  const auto property = [&](const std::string& offset) {
    return property_of(
        import_text("deck.inp", for_abaqus(replaced(kInp, "OFFSET=0.5", "OFFSET=" + offset))), 4);
  };
  EXPECT_EQ(property("SPOS").offset, -0.05);
  EXPECT_EQ(property("sneg").offset, 0.05);
  EXPECT_EQ(property("-0.25").offset, 0.025);
  EXPECT_EQ(property("0.25").refusal, "");
  EXPECT_NE(property("OFFSETS").refusal.find("OFFSET=OFFSETS"), std::string::npos);
  EXPECT_NE(property("").refusal.find("OFFSET="), std::string::npos);
  const FeModel beam =
      import_text("deck.inp", replaced(kInp, "SECTION=RECT", "SECTION=RECT, OFFSET1=SPOS"));
  EXPECT_NE(property_of(beam, 6).refusal, "");
}

// Truth: the manual of Abaqus: point c is the origin of a and b, and a blank axis is the first one.
// CalculiX 2.20 does not read c, does not turn about a blank axis, and takes a blank number as 0.
TEST_F(ElementSections, OrientationsHaveTheOriginAndTheAxisOfTheirProgram) {
  const auto with = [&](const std::string& lines, bool is_abaqus) {
    const std::string deck = replaced(kInp, "0.,1.,0.,-1.,0.,0.\n3,90.\n", lines);
    return property_of(import_text("deck.inp", is_abaqus ? for_abaqus(deck) : for_calculix(deck)),
                       3);
  };
  const auto turned = [](double degrees, const Eigen::Vector3d& about) {
    return Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, about).toRotationMatrix();
  };
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), z = Eigen::Vector3d::UnitZ();
  // a - c = -y, b - c = -x
  const Eigen::Matrix3d about_c = (Eigen::Matrix3d() << 0, -1, 0, -1, 0, 0, 0, 0, -1).finished();
  EXPECT_TRUE(with("1.,0.,0.,0.,1.,0.,1.,1.,0.\n", true).axes.isApprox(about_c));
  EXPECT_TRUE(with("1.,0.,0.,0.,1.,0.,0.,0.,0.\n", true).axes.isIdentity());
  EXPECT_TRUE(with("1.,,,0.,1.\n", true).axes.isIdentity());
  EXPECT_TRUE(with("1.,,,0.,1.\n", false).axes.isIdentity());
  EXPECT_TRUE(with("1.,,,0.,1.\n,30.\n", true).axes.isApprox(turned(30.0, x)));
  EXPECT_TRUE(with("1.,,,0.,1.\n3,30.\n", false).axes.isApprox(turned(30.0, z)));
  EXPECT_TRUE(with("1.,,,0.,1.\n7,0.\n", true).axes.isIdentity());
  for (const std::string lines : {"1.,0.,0.,0.,1.,0.,1.,1.,0.\n", "1.,,,0.,1.\n,30.\n"})
    EXPECT_NE(with(lines, false).refusal, "") << lines;
  for (const std::string lines : {"1.,,,0.,1.\n4,30.\n",
                                  "1.,,,0.,1.\n1.5,30.\n",
                                  "1.,,,0.,1.\n3,3x\n",
                                  "1.,,,0.,1x\n",
                                  "1.,,,2.\n"})
    EXPECT_NE(with(lines, true).refusal.find("orientation GRAIN"), std::string::npos) << lines;
}

// Truth: the manual of Abaqus: with DEFINITION=NODES the line has the numbers of nodes.
TEST_F(ElementSections, OrientationsThatAreNotSupportedAreRefused) {
  const auto refusal = [&](const std::string& keyword) {
    return property_of(import_text("deck.inp",
                                   for_abaqus(replaced(kInp, "*ORIENTATION, NAME=GRAIN", keyword))),
                       3)
        .refusal;
  };
  EXPECT_NE(refusal("*ORIENTATION, NAME=GRAIN, DEFINITION=NODES").find("rectangular"),
            std::string::npos);
  EXPECT_NE(refusal("*ORIENTATION, NAME=GRAIN, SYSTEM=CYLINDRICAL").find("rectangular"),
            std::string::npos);
  EXPECT_NE(refusal("*ORIENTATION, NAME=OTHER").find("is not defined"), std::string::npos);
  EXPECT_EQ(refusal("*ORIENTATION, NAME=GRAIN, DEFINITION=COORDINATES"), "");
  // axis 1, also the default, near the normal of a shell: axes 2 and 3 are then those of the
  // surface (the second line is mandatory for shells)
  const auto shell = [](const std::string& line) {
    return for_abaqus(replaced(
        replaced(kInp, "ELSET=S, MATERIAL=STEEL", "ELSET=S, MATERIAL=WOOD, ORIENTATION=GRAIN"),
        "3,90.\n",
        line));
  };
  for (const char* line : {"3,90.\n", "3,0.\n", "3\n"})
    EXPECT_EQ(property_of(import_text("deck.inp", shell(line)), 4).refusal, "") << line;
  for (const char* line : {"1,0.\n", ",0.\n", ",30.\n", "2,\n", ""})
    EXPECT_NE(property_of(import_text("deck.inp", shell(line)), 4).refusal, "") << line;
}

// Truth: the model that was written.
TEST_F(ElementSections, SurviveTheModelFile) {
  const FeModel model = import_text("deck.bdf", kBulk);
  write_fe_model(model, folder_ / "deck.fe.h5");
  const FeModel back = read_fe_model(folder_ / "deck.fe.h5");
  ASSERT_EQ(back.properties.elements.size(), model.properties.elements.size());
  ASSERT_EQ(back.properties.properties.size(), model.properties.properties.size());
  ASSERT_EQ(back.properties.materials.size(), 2U);
  EXPECT_TRUE(std::isnan(back.properties.materials[0].constants[2]));
  for (const ElementSection& section : model.properties.elements) {
    const ElementSection& other = section_of(back, section.element);
    EXPECT_EQ(other.property, section.property);
    EXPECT_EQ(other.integration, section.integration);
    EXPECT_EQ(other.released, section.released);
    EXPECT_EQ(other.ends, section.ends);
    EXPECT_EQ(other.angle, section.angle);
    const FeProperty& a = property_of(model, section.element);
    const FeProperty& b = property_of(back, section.element);
    EXPECT_EQ(b.type, a.type);
    EXPECT_EQ(b.refusal, a.refusal);
    EXPECT_EQ(b.points, a.points);
    EXPECT_EQ(b.centroid, a.centroid);
    EXPECT_EQ(b.torsion_radius, a.torsion_radius);
    EXPECT_EQ(b.axes, a.axes);
  }
}

// Truth: K and M come from other files, so a faulty property is no reason to refuse a deck.
TEST_F(ElementSections, AFaultyCardIsAReasonOfItsElementsAlone) {
  std::string text = kBulk;
  text.replace(text.find("PSHELL,10,1,2.5"), 15, "PSHELL,10,1,abc");
  const FeModel model = import_text("deck.bdf", text);
  EXPECT_EQ(property_of(model, 1).refusal, "field 4: 'abc' is not a number");
}

}  // namespace
}  // namespace femflex::importer
