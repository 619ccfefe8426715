// Complex KKT matrices of implicit steps.
#include "model/complex_kkt.h"

#include <utility>

#include "linalg/sizes.h"
#include "model/pair_blocks.h"
#include "trammel/math/kkt_entries.h"

namespace trammel {

void ComplexKkt::analyse(const KktMatrix& kkt) {
  const Index size = linearization_.assembly().coordinates() + linearization_.assembly().rows();
  std::vector<std::pair<Index, Index>> entries;
  each_kkt_entry(kkt, [&](Index row, Index column, double) { entries.emplace_back(row, column); });
  each_pair_entry(linearization_, [&](Index row, Index column) { entries.emplace_back(row, column); });
  elimination_.each_entry([&](Index row, Index column) { entries.emplace_back(row, column); });
  lu_.analyse(size, std::move(entries));
  unknowns_.assign(count(size), 0.0);
}

Status ComplexKkt::prepare(const KktMatrix& kkt, std::complex<double> c0, std::complex<double> c1) {
  if (const Status status = elimination_.compute(c0, c1); !status) return status;
  if (!lu_.analysed()) analyse(kkt);
  const PairBlocks<std::complex<double>> pairs(linearization_, c0, c1);
  lu_.fill([&](auto& add) {
    each_kkt_entry(kkt, [&](Index, Index, double value) { add(value); });
    for (std::size_t i = 0; i < pairs.count; ++i) add(pairs[i]);
    for (const std::complex<double>& value : elimination_.numbers()) add(value);
  });
  return name_unknown(kkt, lu_.factorize());
}

void ComplexKkt::solve(const KktMatrix& kkt, ConstComplexView f, ConstComplexView g, ComplexView x,
                       ComplexView lambda) {
  const Index n = f.re.size, m = g.re.size;
  for (Index i = 0; i < n; ++i) unknowns_[count(i)] = {f.re[i], f.im[i]};
  for (Index i = 0; i < m; ++i) unknowns_[count(n + i)] = {g.re[i], g.im[i]};
  for (Index r = 0; kkt.dropped != nullptr && r < kkt.rows; ++r) {
    if (kkt.dropped[r] != 0) unknowns_[count(n + r)] = 0;
  }
  lu_.solve(unknowns_.data());
  for (Index i = 0; i < n; ++i) x.re[i] = unknowns_[count(i)].real(), x.im[i] = unknowns_[count(i)].imag();
  if (lambda.re.data == nullptr) return;
  for (Index i = 0; i < m; ++i) {
    lambda.re[i] = unknowns_[count(n + i)].real(), lambda.im[i] = unknowns_[count(n + i)].imag();
  }
}

}  // namespace trammel
