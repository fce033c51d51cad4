import PersistentStores
import StoreExport
import StoreFetching
import TextEncodings

/// The objects that an export leaves out. The first ones are printed, and all are written to a file if one was
/// requested.
struct ExportRejects {
    private(set) var count: Int64 = 0
    private let file: StagedOutput?
    private var output: OutputBuffer?
    private let isWritten: Bool

    /// The number of objects that are printed.
    private static let shownCount = 100

    /// - Parameter path: the path of a new file with a JSON object on each line, `-` for standard output; nil for none.
    init(path: String?, isReplacing: Bool) throws {
        isWritten = path != nil
        let isStandard = path == CommandOutput.standard
        let file = try isStandard ? nil : path.map { try StagedOutput(for: $0, replacing: isReplacing) }
        self.file = file
        output =
            isStandard ? OutputBuffer(StandardOutput.write) : file.map { file in OutputBuffer { try file.write($0) } }
    }

    mutating func add(_ refusal: ExportRefusal) throws {
        count += 1
        if count <= Self.shownCount { Console.note("left out: \(refusal)\n") }
        guard output != nil else { return }
        output?.bytes += "{\"object\":".utf8
        output?.bytes.append(json: refusal.uri.utf8.span)
        output?.bytes += ",\"message\":".utf8
        output?.bytes.append(json: refusal.reason.utf8.span)
        output?.bytes += "}\n".utf8
        try output?.flushIfFull()
    }

    /// Prints the number of these objects, and gives the file its name.
    mutating func finish() throws {
        try output?.flush()
        try file?.finish()
        guard count > 0 else { return }
        let more = count > Self.shownCount && !isWritten ? "; --rejects FILE names them all" : ""
        Console.note(
            "warning: \(Quantity.count(count, "object")) left out of the files; an import finds nothing for links to "
                + "them\(more)\n")
    }
}
