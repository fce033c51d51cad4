import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Objects of which nothing is to be found out: they are new, and go to the end of a table that is being built.
extension BulkImporter {
    /// Appends all objects of a batch whose records are not rejected.
    ///
    /// - Returns: false if more has to be looked at; nothing is done then.
    func appendPlain(
        _ writer: ObjectWriter, _ current: inout ObjectInstances, _ batch: RecordBatch,
        _ counts: inout ImportReport.EntityReport
    ) throws -> Bool {
        let object = writer.object
        guard let appender = writer.appender, late == nil, object.onMissing == .create, object.unfilled.isEmpty,
            writer.externals.isEmpty, current.files.isEmpty, learners(of: object).isEmpty,
            !current.unfilled.contains(where: { $0 >= 0 }),
            !appender.mayRefuse
        else { return false }
        let root = object.table.root
        let first = keys.nextKey(inTableOf: root)
        do throws(BuildError) {
            let next = try appender.appendAll(
                &current, where: isRejected, from: first, entity: Int64(object.entityNumber), arena: batch.arena.span)
            counts.inserted += next - first
            keys.take(upTo: next, inTableOf: root)
        } catch {
            throw SQLiteError(building: error)
        }
        return true
    }
}
