import ImportMappings
import PersistentStores

/// The hashes of the keys of a source's objects in a spool (docs/format/spools.md#keys).
struct SpooledKeys: Codable, Equatable {
    /// Hashes in ascending order of their first bits.
    struct Run: Codable, Equatable {
        /// The offset of its first block; the other blocks follow it.
        let offset: Int
        /// The number of its hashes.
        let count: Int
    }

    /// The index of the source; files with the same mapping and the same columns share one.
    let source: Int
    var runs: [Run] = []
}

extension [CompiledSource] {
    /// Returns whether it can be useful for an assembly to know that all objects of a source have different keys:
    /// nothing else creates or finds objects of their table, and each record with a key creates one, whether or not it
    /// is the first with it.
    ///
    /// - Parameter found: the roots of the tables whose objects are referred to by key.
    func mayHaveDistinctKeys(_ index: Int, found: Set<Int>) -> Bool {
        guard self[index].objects.count == 1, let object = self[index].objects.first, object.hasPlainKey,
            !object.isForSome, object.onMissing == .create
        else { return false }
        let mayLackValues = self[index].mayLackFields && object.attributes.contains(where: \.isNeeded)
        let root = object.table.root
        return !mayLackValues && !found.contains(root) && flatMap(\.objects).count { $0.table.root == root } == 1
    }
}

extension ImportSession {
    /// Returns the sources of spooled records whose objects are known to have different keys.
    ///
    /// - Throws: `SpoolError` or `SourceError` if the hashes of the keys cannot be read, `ImportError.cancelled`.
    func sourcesWithDistinctKeys(_ spools: ImportSpools) throws -> Set<Int> {
        let compiled = sources.map(\.compiled)
        let found = Set(resolvers.map(\.entityTable.root))
        return try Set(
            compiled.indices.filter { index in
                guard compiled.mayHaveDistinctKeys(index, found: found), let object = compiled[index].objects.first,
                    otherConstraints[object.table.root] == nil,
                    !object.toOnes.contains(where: { InverseWriter.isOneToOne($0.relationship, layout: layout) })
                else { return false }
                return try spools.haveDistinctKeys(
                    index, options.fixedLimits.spools, isCancelled: options.isCancelled)
            })
    }
}
