import Foundation
import PersistentStores

/// What all benchmarks of a run share: the options, the tool under test, and the state of the machine.
final class BenchmarkSession: Sendable {
    let suite: String
    let options: BenchmarkOptions

    /// The tool that is measured.
    let ferry: String

    /// The processes that wanted to run in the minute before the start; above the number of cores, times mean little.
    let loadAverage: Double

    var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    init(_ options: BenchmarkOptions, suite: String) throws {
        self.suite = suite
        self.options = options
        ferry = try options.ferry ?? Self.toolBesideThis()
        guard FileSystem.exists(ferry) else { throw BenchmarkError.toolMissing(ferry) }
        let words = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ") ?? []
        loadAverage = words.first.flatMap { Double($0) } ?? 0
        #if DEBUG
            BenchmarkConsole.note(
                "built for debugging, figures say nothing: use \"swift run -c release ferry-benchmarks\"\n")
        #endif
    }

    private static func toolBesideThis() throws -> String {
        let own = FileSystem.resolvingLinks("/proc/self/exe")
        return FileSystem.directory(of: own) + "/ferry"
    }

    /// Whether a benchmark of the suite is asked for; without names all are.
    func includes(_ benchmark: String) -> Bool {
        options.operands.isEmpty || options.operands.contains(benchmark)
    }

    /// Says on standard error what happens now; runs take minutes.
    func note(_ text: String) {
        BenchmarkConsole.note("  \(text)\n")
    }
}
