import CommandLineParsing
import FoundationEssentials
import Glibc
import SQLiteAccess

@main
enum Ferry {
    static func main() {
        // A broken pipe ends nothing: what was asked for is done, whoever stopped reading.
        signal(SIGPIPE, SIG_IGN)
        // At the limit on file sizes a write fails, with an error that says so, instead of ending the process.
        signal(SIGXFSZ, SIG_IGN)
        SQLiteLibrary.omitMemoryStatistics()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ words: [String]) -> ExitStatus {
        do {
            try SQLDebug.startAsEnvironmentSays()
            switch try CommandTable.ferry.parse(words) {
            case .print(let text):
                Console.print(text)
                return .done
            case .run(let work): return try work()
            }
        } catch {
            return DiagnosticPrinter.report(error)
        }
    }
}
