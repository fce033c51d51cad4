import CommandLineParsing
import Foundation

@main
enum FerryBenchmarks {
    static func main() {
        // Ctrl-C ends the child that runs; its failure then unwinds this process, and the data are removed.
        signal(SIGINT) { _ in }
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ words: [String]) -> ExitStatus {
        do {
            switch try CommandTable.benchmarks.parse(words) {
            case .print(let text):
                BenchmarkConsole.print(text)
                return .done
            case .run(let work): return try work()
            }
        } catch {
            BenchmarkConsole.note("ferry-benchmarks: \(error)\n")
            return error is UsageError ? .usage : .failed
        }
    }
}
