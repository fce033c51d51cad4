import CommandLineParsing
import FoundationEssentials
import Glibc
import SQLiteAccess

/// The tool `ferry`.
public enum Ferry {
    /// Runs the command that the arguments of the process name, and exits with its status.
    public static func main() -> Never {
        // A broken pipe does not end the process: the work is completed, even if the output is no longer read.
        signal(SIGPIPE, SIG_IGN)
        // At the file size limit, a write fails with an error instead of ending the process.
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
