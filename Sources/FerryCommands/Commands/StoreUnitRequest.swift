import CommandLineParsing
import PersistentStores

/// A request to copy, move or remove a store with all of its files.
enum StoreUnitRequest {
    static func run(
        _ operands: [String], _ watch: ProgressWatch? = nil, isReplacing: Bool, followsLinks: Bool,
        _ work: (StoreUnit, String) throws -> [String]
    ) throws -> ExitStatus {
        Cancellation.watchSignals()
        var options = StoreUnit.Options()
        options.isReplacing = isReplacing
        options.isCancelled = { Cancellation.isRequested }
        options.onCheckpoint = CrashInjection.checkpoint
        let unit = try StoreUnit(path: operands[0], followsLinks: followsLinks, options: options)
        watch?.expect(bytes: unit.files.totalSize)
        let notes = try work(unit, operands.count > 1 ? destination(operands[1], of: unit) : "")
        for note in notes { Console.note("warning: \(note)\n") }
        return notes.isEmpty ? .done : .findings
    }

    /// Returns the destination; if it is a folder, the store keeps its name.
    private static func destination(_ path: String, of unit: StoreUnit) -> String {
        guard FileSystem.isDirectory(path) else { return path }
        return path + (path.hasSuffix("/") ? "" : "/") + unit.files.name
    }
}
