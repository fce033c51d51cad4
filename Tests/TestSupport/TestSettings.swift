import Foundation

/// What the environment says of a run of the tests. CONTRIBUTING.md lists the variables.
public enum TestSettings {
    /// Long tests are left out: `FERRY_TEST_FAST` is set.
    public static let isFast = value("FERRY_TEST_FAST") != nil

    /// Runs are killed at every point, not only at two or three: `FERRY_TEST_EVERY_KILL` is set.
    public static let killsAtEveryPoint = value("FERRY_TEST_EVERY_KILL") != nil

    /// Tests with random input try all their seeds, not only a quarter of them: `FERRY_TEST_EVERY_SEED` is set.
    public static let triesEverySeed = value("FERRY_TEST_EVERY_SEED") != nil

    /// The folder of the tools that end-to-end tests run: `FERRY_TEST_TOOLS`, or that of the tests.
    public static let tools =
        value("FERRY_TEST_TOOLS")
        ?? URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path

    /// A variable of the environment; nil if it is not set or empty.
    public static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Recorded texts are written instead of compared: `FERRY_RECORD` is 1.
    public static let records = value("FERRY_RECORD") == "1"

    /// The number that a variable holds.
    public static func number(_ name: String, default number: Int) -> Int {
        value(name).flatMap(Int.init) ?? number
    }
}
