import ImportMappings
import RecordConversion
import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import Synchronization

/// The search for the objects of batches in the pages of the store, on a thread between the one that converts records
/// and the one that writes objects.
///
/// It sees the rows as they were when the import began. The thread that writes finds out which of them have changed
/// since, and looks up the objects that are not found here.
final class RowMatcher: @unchecked Sendable {
    private var finders: [EarlierObjectFinder]
    /// Held while `finders` is used.
    private let lock = Mutex(())

    /// Creates the search; nil if SQLite finds all objects of a source.
    init?(_ source: SourceImport) {
        finders = source.entities.compactMap { EarlierObjectFinder($0) }
        if finders.isEmpty { return nil }
    }

    func match(_ work: inout ConvertedBatch) {
        lock.withLock { _ in
            for finder in finders { finder.find(&work) }
        }
    }

    /// Waits for the current batch, and reads no page after it. Nothing of the store is kept, although the thread may
    /// still wait for records, so that closing the connection ends all use of the store.
    func stop() {
        lock.withLock { _ in finders = [] }
    }
}

/// The objects of a mapping as they were before the import.
final class EarlierObjects {
    /// An object that is expected next, and the number of records of its file before its own record.
    struct Expectation {
        let key: Int64
        let record: Int
    }

    let rows: EarlierRows
    let table: Int
    private let expectation = Mutex<Expectation?>(nil)

    init(_ rows: EarlierRows, table: Int) {
        self.rows = rows
        self.table = table
    }

    /// Stores which object the writing thread expects after the records that it has written.
    func expect(_ key: Int64, record: Int) {
        expectation.withLock { $0 = Expectation(key: key, record: record) }
    }

    /// Returns the expected object, and removes it.
    func takeExpectation() -> Expectation? { expectation.withLock { $0.take() } }
}

/// The search for the objects of one mapping.
private final class EarlierObjectFinder {
    private let object: CompiledObject
    private let earlier: EarlierObjects
    private let rows: TableRows
    private let comparison: ObjectComparison
    /// Whether the values of the objects are compared, and not only their existence is determined.
    private let isCompared: Bool
    private let storedToOnes: Range<Int32>
    private var walk: OrderedWalk

    /// The number of batches by which an expected object may be behind the current one; an older one is not used.
    private static let mostSkippedBatches = 10

    init?(_ entity: EntityImport) {
        let (object, writer) = (entity.object, entity.writer)
        // Only one thread may look for values in files next to the store.
        guard let earlier = entity.earlier, writer.isKeyUnique, object.isFoundByAttributes, writer.externals.isEmpty,
            object.attributes.count <= EarlierMatches.mostAttributes,
            let rows = earlier.rows.rows(earlier.table, writer.plainColumnNames, entities: writer.entityNumbers)
        else { return nil }
        self.object = object
        self.earlier = earlier
        self.rows = rows
        comparison = writer.comparison
        isCompared = object.onMatch == .update || object.onMatch == .fill
        storedToOnes = 0..<Int32(writer.storedToOnes.count)
        walk = writer.walk
    }

    func find(_ work: inout ConvertedBatch) {
        // The instances are temporarily moved out of the batch, so that they are not copied.
        var instances = ObjectInstances(attributeCount: 0, toOneCount: 0)
        swap(&instances, &work.instances[object.index])
        defer { swap(&instances, &work.instances[object.index]) }
        instances.earlier = nil
        var skipped = 0
        if walk.expectedKey == nil, let expected = earlier.takeExpectation() {
            skipped = max(0, work.batch.start.record - expected.record)
            if skipped <= Self.mostSkippedBatches * work.batch.count { walk.expectedKey = expected.key }
        }
        guard let first = walk.expectedKey, instances.files.isEmpty else { return }
        instances.makeKeys(object, where: work.isRejected, in: work.batch.arena)
        var matches = EarlierMatches(instances.count, toOneCount: storedToOnes.count, where: work.isRejected)
        instances.findFollowers(&matches)
        do {
            try rows.begin(first...Int64.max)
            var left = matches.leaders.count + skipped
            // A variable in a closure would be copied for each row.
            let (current, arena) = (instances, work.batch.arena)
            _ = try walk.walk(matches.leaders, current, arena, rows) { instance, row, firstCompared in
                compare(instance, row, firstCompared, current, arena, &matches)
            } next: {
                left -= 1
                return left >= 0 ? try rows.next() : false
            }
        } catch {
            // SQLite reports what is wrong with a page, if the fault still exists.
            walk.expectedKey = nil
            matches.forgetObjects()
        }
        instances.unmarkFollowers(matches)
        instances.earlier = matches
    }

    /// Stores an object with the changes that its record makes.
    @inline(__always)
    private func compare(
        _ instance: Int, _ row: TableRows, _ firstCompared: Int32, _ instances: ObjectInstances, _ arena: [UInt8],
        _ matches: inout EarlierMatches
    ) {
        var changes: UInt64 = 0
        if isCompared {
            comparison.forEachChange(
                instances, instance, row: row, firstColumn: firstCompared, fills: object.onMatch == .fill, arena: arena
            ) { changes |= 1 << UInt64($0) }
        }
        for index in storedToOnes {
            let column = firstCompared + Int32(object.attributes.count) + index
            let destination = row.integer(column)
            if destination == 0, !row.isNull(column) { return }
            matches.setToOne(instance * storedToOnes.count + Int(index), destination)
        }
        matches.take(instance, row.integer(0), entity: row.integer(1), changes: changes)
    }
}
