import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Building a new store bottom-up, as long as objects are only added and found in memory.
extension BulkImporter {
    /// Why SQLite has to write the store; empty if it can be built.
    func reasonsNotToBuild() throws -> [String] {
        var reasons: [String] = []
        if history != nil { reasons.append("the store keeps a history") }
        if openRecords != nil { reasons.append("records may have to be taken back when all are read") }
        if sources.contains(where: \.needsReplay) {
            reasons.append("a record makes several objects, or objects that it only names")
        }
        if sources.flatMap(\.objects).contains(where: { !$0.toManys.isEmpty }) {
            reasons.append("records have lists of links")
        }
        if inverseWriters.joined().joined().contains(where: { $0 != nil }) {
            reasons.append("the other side of a relationship has a key or an order of its own")
        }
        for (source, filters) in zip(sources, freshness) {
            for (object, filter) in zip(source.objects, filters) where object.hasKey && filter == nil {
                reasons.append("objects of \(object.entityName) may be there before")
            }
        }
        let indexes = try connection.value(
            "SELECT count(*) FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        if indexes != 0 { reasons.append("a uniqueness constraint has to be checked at once") }
        return reasons
    }

    /// Begins to build the store where that is possible; before the first record.
    func beginBuilding() throws {
        var reasons = options.writer == .sqlite ? ["SQLite was asked for"] : try reasonsNotToBuild()
        if reasons.isEmpty {
            let (begun, declined) = try DatabaseRebuild.begin(
                connection, indexes: indexes.knowledge.deferred.map(\.createStatement))
            building = begun
            reasons = declined
        }
        report.writer = building == nil ? .sqlite : .builder
        report.writerReasons = reasons
        guard let building else {
            if options.writer == .builder { throw ImportError.cannotBuild(reasons) }
            return
        }
        for writer in writers.joined() {
            writer.appender = ObjectAppender(writer.object, table: try building.table(writer.object.table.name))
        }
    }

    /// Ends the building where it is under way: from here on objects are found and changed in the file.
    ///
    /// - Parameter isComplete: whether all objects are there, so that the indexes can be made.
    func endBuilding(isComplete: Bool = false) throws {
        guard let building else { return }
        self.building = nil
        for writer in writers.joined() { writer.appender = nil }
        do {
            try building.finish(omitting: isComplete ? [] : Set(indexes.knowledge.deferred.map(\.name)))
        } catch let error as BuildError {
            throw SQLiteError(building: error)
        }
        if isComplete { indexes.knowledge.forgetDeferred() }
    }
}

extension SQLiteError {
    /// A failure of the builder, as SQLite would have said it.
    init(building error: BuildError) {
        let (code, number): (Int32, Int32) =
            switch error.kind {
            case .file(_, let number): (error.isFull ? Self.full : Self.inputOutput, number)
            case .full: (Self.full, 0)
            case .notUnique, .missing: (Self.constraint, 0)
            default: (Self.general, 0)
            }
        self.init(code: code, message: error.description, path: error.path, systemNumber: number)
    }

    // The codes of SQLite's documentation, "Result and Error Codes".
    private static let general: Int32 = 1
    private static let inputOutput: Int32 = 10
    private static let full: Int32 = 13
    private static let constraint: Int32 = 19
}
