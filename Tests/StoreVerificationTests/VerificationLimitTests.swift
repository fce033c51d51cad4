import PersistentStores
import TestSupport
import Testing

@testable import StoreVerification

/// What is found depends on none of the sizes of the statements that look for it.
@Suite struct VerificationLimitTests {
    private func options(_ size: Int?, _ random: inout RandomNumbers) -> StoreVerifier.Options {
        var options = StoreVerifier.Options()
        options.fixedLimits.joins = random.limit(size)
        options.fixedLimits.checks = random.limit(size)
        options.fixedLimits.pages = random.limit(size)
        return options
    }

    private func check(_ fault: FaultInjectionTests.Fault, _ options: [StoreVerifier.Options]) throws {
        let store = try SampleStore()
        try store.execute(fault.sql)
        for options in options {
            let counts = try store.report(options).findings.reduce(into: [String: Int64]()) {
                $0[$1.code, default: 0] += $1.count
            }
            #expect(counts == fault.counts, "\(fault.sql), \(options.fixedLimits)")
        }
    }

    @Test(arguments: FaultInjectionTests.faults)
    func eachFaultIsFoundAndNothingElseWithSmallLimits(fault: FaultInjectionTests.Fault) throws {
        var random = RandomNumbers(seed: UInt64(fault.sql.utf8.count))
        let sizes = RandomNumbers.limitSizes.prefix(RandomNumbers.seeds(4).count)
        try check(fault, sizes.map { options($0, &random) } + [options(nil, &random)])
    }
}
