import CommandLineParsing
import StoreImport

/// A request to abandon an import that was interrupted.
struct AbandonRequest {
    private let store: String

    init(_ options: ImportCommandOptions) throws(UsageError) {
        guard let store = options.store else { throw .missing("--store STORE") }
        if options.isResuming { throw .conflict("--abandon", with: "--resume") }
        if options.isDraft { throw .conflict("--abandon", with: "--draft-mapping") }
        if options.isDryRun { throw .conflict("--abandon", with: "--dry-run") }
        if let source = options.operands.first { throw .badOperand(source, expected: "no source with --abandon") }
        self.store = store
    }

    func run() throws -> ExitStatus {
        try ImportRun.abandon(in: store)
        Console.print("The interrupted import into \(store) is given up; what it has committed stays\n")
        return .done
    }
}
