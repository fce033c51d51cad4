import Foundation
import TestSupport
import Testing

/// How many documents the fuzz tests try: a few hundred, or for as long as `FERRY_FUZZ_SECONDS` says, from a random
/// seed.
enum FuzzRun {
    private static let seconds = TestSettings.value("FERRY_FUZZ_SECONDS").flatMap(Double.init)
    /// The file that the document at hand is written to, so that a crash leaves it behind.
    private static let trace = TestSettings.value("FERRY_FUZZ_TRACE")

    /// Calls a closure with seeds; a failure names its seed.
    static func run(_ name: String, count: Int = 300, _ body: (Int) throws -> Void) rethrows {
        guard let seconds else {
            for seed in 0..<count { try body(seed) }
            return
        }
        let end = Date(timeIntervalSinceNow: seconds)
        var seed = Int.random(in: 1_000_000...1_000_000_000)
        var tried = 0
        while Date() < end {
            try body(seed)
            seed += 1
            tried += 1
        }
        FileHandle.standardError.write(Data("fuzz \(name): \(tried) documents\n".utf8))
    }

    static func trace(_ name: String, _ bytes: [UInt8]) {
        guard let trace else { return }
        try? Data(bytes).write(to: URL(fileURLWithPath: "\(trace).\(name)"))
    }
}
