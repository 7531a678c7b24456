// A sum for references: exact to about the last digit of double, however many terms there are.
#pragma once

#include <cmath>

namespace harness {

// Compensated summation (Neumaier's form of Kahan's method) in long double: `lost_` collects what
// each addition rounds away.
class CompensatedSum {
  public:
    void add(long double term) {
        const long double next = sum_ + term;
        if (std::fabs(sum_) >= std::fabs(term)) {
            lost_ += (sum_ - next) + term;
        } else {
            lost_ += (term - next) + sum_;
        }
        sum_ = next;
        plain_ += term;
    }
    long double value() const { return std::isfinite(plain_) ? sum_ + lost_ : plain_; }

  private:
    long double sum_ = 0;
    long double lost_ = 0;
    long double plain_ = 0;  // decides NaN and infinities, where "what was lost" has no meaning
};

}  // namespace harness
