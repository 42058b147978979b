// Tests the canonical text form of a part. Truth: the sample of the thesis, and parts that are
// written and read back bit for bit.
#include "femflex/substructure/text_form.h"

#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/dense.h"
#include "femflex/errors.h"

#include "examples.h"
#include "support/support.h"

namespace femflex::substructure {
namespace {

using Eigen::MatrixXd;
using testing::tolerance;

std::string code_of_text(const std::string& text) {
  try {
    read_text(text, "part");
  } catch (const Error& error) {
    return error.code();
  }
  return "no error";
}

// Truth: the sample of the thesis and the polynomials printed with it.
TEST(TextForm, ReadsTheSampleOfTheThesis) {
  const nlohmann::json sample = nlohmann::json::parse(
      testing::read_text(testing::data("substructure/expected/text_interface.json")));
  const std::string text = sample["response_example_line1"].get<std::string>() + "\n" +
                           sample["response_example_line2"].get<std::string>() + "\n";
  EXPECT_EQ(to_polynomials(read_text(text)), sample["example_polynomials"].get<PolynomialMatrix>());
  const auto& bar = sample["example_bar"];
  const DynamicStiffness expected = bar_part({bar["mass"], bar["stiffness"], bar["damping"]});
  const DynamicStiffness found = read_text(text);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(MatrixXd(found.coefficients[k]), MatrixXd(expected.coefficients[k]));
  }
}

TEST(TextForm, WritesTheLinesOfTheForm) {
  EXPECT_EQ(write_text(bar_part({3555.144, 3.51e8, 157978.197483})),
            "{ [ 1777.572 157978.197483 351000000 ] [ -157978.197483 -351000000 ] ;\n"
            "[ -157978.197483 -351000000 ] [ 1777.572 157978.197483 351000000 ] } kg\\(s^2)\n");
}

// Truth: what was written, bit for bit.
TEST(TextForm, GivesBackEveryBitOfRandomPolynomials) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-300, 300);
  std::uniform_int_distribution<std::size_t> terms(1, 6);
  PolynomialMatrix entries(4, std::vector<Polynomial>(4));
  for (auto& row : entries) {
    for (Polynomial& p : row) {
      p.resize(terms(engine));
      for (double& v : p)
        v = mantissa(engine) * std::pow(10.0, exponent(engine));
    }
  }
  EXPECT_EQ(to_polynomials(read_text(write_text(from_polynomials(entries)))), entries);
}

TEST(TextForm, ConvertsUnitsOfMassAndTime) {
  // 2 t/ms^2 = 2e9 kg/s^2; a damping term in t/ms = 1e6 kg/s; a mass in t = 1e3 kg
  const PolynomialMatrix entries = to_polynomials(read_text("{ [ 1 3 2 ] } t\\(ms^2)"));
  EXPECT_NEAR(entries[0][0][0], 1e3, tolerance(1e-12) * 1e3);
  EXPECT_NEAR(entries[0][0][1], 3e6, tolerance(1e-12) * 3e6);
  EXPECT_NEAR(entries[0][0][2], 2e9, tolerance(1e-12) * 2e9);
  EXPECT_EQ(to_polynomials(read_text("{[1 3 2]}kN/m"))[0][0], (Polynomial{1e3, 3e3, 2e3}));
  EXPECT_EQ(to_polynomials(read_text("{[1 2]} kg/s^2"))[0][0], (Polynomial{1, 2}));
  EXPECT_EQ(to_polynomials(read_text("{[1 2];} kg\\\\(s^2)\n"))[0][0], (Polynomial{1, 2}));
}

TEST(TextForm, NamesWhatIsWrong) {
  EXPECT_EQ(code_of_text("{ [ 1 ] } kg\\(m^2)"), "units");
  EXPECT_EQ(code_of_text("{ [ 1 ] }"), "units");
  EXPECT_EQ(code_of_text("{ [ 1 ] } N*m"), "units");
  EXPECT_EQ(code_of_text("{ [ 1 ] [ 2 ] } kg\\(s^2)"), "not-square");
  EXPECT_EQ(code_of_text("{ [ 1 ] [ 2 ] ; [ 3 ] } kg\\(s^2)"), "not-square");
  EXPECT_EQ(code_of_text(""), "unexpected");
  EXPECT_EQ(code_of_text("{"), "truncated");
  EXPECT_EQ(code_of_text("{ [ 1 "), "truncated");
  EXPECT_EQ(code_of_text("{ [ ] } kg\\(s^2)"), "empty-entry");
  EXPECT_EQ(code_of_text("{ } kg\\(s^2)"), "empty-row");
  EXPECT_EQ(code_of_text("{ ; [ 1 ] } kg\\(s^2)"), "empty-row");
  EXPECT_EQ(code_of_text("{ [ 1e400 ] } kg\\(s^2)"), "number");
  EXPECT_EQ(code_of_text("{ [ nan ] } kg\\(s^2)"), "number");
  EXPECT_EQ(code_of_text("{ [ 1,5 ] } kg\\(s^2)"), "number");
  EXPECT_EQ(code_of_text("{ [ - 3.51E+8 ] } kg\\(s^2)"), "number");
  EXPECT_EQ(code_of_text("{ ( 1 ) } kg\\(s^2)"), "unexpected");
}

TEST(TextForm, SaysAtWhichByteItStopped) {
  try {
    read_text("{ [ 1 x ] } kg\\(s^2)", "BA1x2");
    FAIL() << "no error";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.where().byte, 6);
    EXPECT_EQ(error.where().file, "BA1x2");
  }
}

TEST(TextForm, StopsAtItsLimits) {
  const auto code_within = [](const std::string& text, const TextLimits& limits) {
    try {
      read_text(text, {}, limits);
    } catch (const ParseError& error) {
      return error.code();
    }
    return std::string("no error");
  };
  EXPECT_EQ(code_within("{ [ 1 ] } kg\\(s^2)", {.bytes = 10}), "too-large");
  EXPECT_EQ(code_within("{[1][1];[1][1]} kg\\(s^2)", {.ports = 1}), "too-large");
  EXPECT_EQ(code_within("{[1 2 3]} kg\\(s^2)", {.terms = 2}), "too-large");
}

// Truth: a text is either rejected with an error of ours, or describes a part that its own text
// gives back.
TEST(TextForm, ReadsOrRefusesWhateverComes) {
  const std::string sample = write_text(compound_bar());
  const std::string alphabet = "{}[]; 0123456789.-+eEkgs\\/^()mtN";
  std::mt19937 engine(12);
  std::uniform_int_distribution<std::size_t> letter(0, alphabet.size() - 1);
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = sample;
    const int edits = 1 + round % 4;
    for (int k = 0; k < edits; ++k) {
      std::uniform_int_distribution<std::size_t> place(0, text.size() - 1);
      const std::size_t at = place(engine);
      if (round % 3 == 0) text.erase(at, 1 + round % 7);
      if (round % 3 == 1) text.insert(at, 1, alphabet[letter(engine)]);
      if (round % 3 == 2) text[at] = alphabet[letter(engine)];
      if (text.empty()) break;
    }
    try {
      const DynamicStiffness part = read_text(text);
      ASSERT_EQ(to_polynomials(read_text(write_text(part))), to_polynomials(part)) << text;
      ++read;
    } catch (const Error& error) {
      ASSERT_FALSE(error.message().empty());
    }
  }
  EXPECT_GT(read, 100);
}

// Truth: the part before it was written, bit for bit; a reader of 2003 takes all coordinates for
// ports, which is the same part as long as no force acts on the inner ones.
TEST(TextForm, KeepsInnerCoordinatesBehindThePorts) {
  const DynamicStiffness hidden = with_ports(compound_bar(), {1, 3});
  ASSERT_EQ(hidden.inner_count(), 1);
  const std::string text = write_text(hidden);
  EXPECT_TRUE(text.ends_with("} kg\\(s^2) ports 2\n")) << text;
  const DynamicStiffness back = read_text(text);
  EXPECT_EQ(back.port_count(), 2);
  EXPECT_EQ(back.inner_count(), 1);
  EXPECT_EQ(to_polynomials(back), to_polynomials(hidden));
  for (const char* wrong : {"ports", "ports 0", "ports 4", "ports two", "ports 2 3"}) {
    const std::string edited = text.substr(0, text.find("ports")) + wrong;
    EXPECT_THROW(read_text(edited), ParseError) << wrong;
  }
}

// Truth: the bar of the thesis, 83.385 s^2 + 22143 s + 1.47e8, and two masses on springs, whose M,
// C and K the state space was made of, in coordinates mixed by a matrix.
TEST(TextForm, HoldsAStateSpaceOfDisplacementsAndVelocities) {
  const double m = 83.385;
  const Eigen::Matrix2d A = (Eigen::Matrix2d() << 0.0, 1.0, -1.47e8 / m, -22143.0 / m).finished();
  const PolynomialMatrix bar = to_polynomials(from_state_space(
      A, Eigen::Vector2d(0.0, 1.0 / m), Eigen::RowVector2d(1.0, 0.0), Eigen::MatrixXd::Zero(1, 1)));
  ASSERT_EQ(bar[0][0].size(), 3U);
  EXPECT_NEAR(bar[0][0][0], m, tolerance(1e-13) * m);
  EXPECT_NEAR(bar[0][0][1], 22143.0, tolerance(1e-13) * 22143.0);
  EXPECT_NEAR(bar[0][0][2], 1.47e8, tolerance(1e-13) * 1.47e8);

  const Eigen::Matrix2d M = (Eigen::Matrix2d() << 5.0, 1.0, 1.0, 3.0).finished();
  const Eigen::Matrix2d D = (Eigen::Matrix2d() << 0.4, -0.1, -0.1, 0.2).finished();
  const Eigen::Matrix2d K = (Eigen::Matrix2d() << 30.0, -10.0, -10.0, 10.0).finished();
  Eigen::Matrix4d inner = Eigen::Matrix4d::Zero();
  inner.topRightCorner<2, 2>().setIdentity();
  inner.bottomLeftCorner<2, 2>() = -M.inverse() * K;
  inner.bottomRightCorner<2, 2>() = -M.inverse() * D;
  Eigen::Matrix<double, 4, 2> B = Eigen::Matrix<double, 4, 2>::Zero();
  B.bottomRows<2>() = M.inverse();
  Eigen::Matrix<double, 2, 4> C = Eigen::Matrix<double, 2, 4>::Zero();
  C.leftCols<2>().setIdentity();
  const Eigen::Matrix4d T =
      (Eigen::Matrix4d() << 2, 1, 0, 0, 0, 1, 1, 0, 0, 0, 3, 1, 1, 0, 0, 1).finished();
  const DynamicStiffness part =
      from_state_space(T * inner * T.inverse(), T * B, C * T.inverse(), Eigen::Matrix2d::Zero());
  ASSERT_EQ(part.inner_count(), 0);
  EXPECT_LT((Eigen::MatrixXd(part.coefficients[0]) - K).norm(), tolerance(1e-12) * K.norm());
  EXPECT_LT((Eigen::MatrixXd(part.coefficients[1]) - D).norm(), tolerance(1e-12) * K.norm());
  EXPECT_LT((Eigen::MatrixXd(part.coefficients[2]) - M).norm(), tolerance(1e-12) * M.norm());
}

}  // namespace
}  // namespace femflex::substructure
