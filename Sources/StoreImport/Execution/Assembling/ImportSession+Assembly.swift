import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// The beginning and the end of the assembly of a new store.
extension ImportSession {
    /// Prepares for the records of a new store. Must be called before the first record is read.
    ///
    /// - Parameters:
    ///   - conditions: the conditions, which have been met, if the store is assembled; nil if objects are looked up.
    ///   - spools: the spools with the records, if they were converted before; otherwise nil.
    @_optimize(size)
    func begin(_ conditions: AssemblyConditions?, _ spools: ImportSpools?) throws {
        guard let conditions else {
            try prepareInverses()
            return try prepareKeys()
        }
        let begun = try SQLiteError.ofBuilder {
            try DatabaseRebuild.begin(connection, indexes: indexes.knowledge.deferred.map(\.createStatement))
        }
        let distinctKeys = try spools.map { try sourcesWithDistinctKeys($0) } ?? []
        do throws(BuildError) {
            let assembled = try ObjectAssembly(
                begun,
                CompiledFiles(
                    sources: sources.map(\.compiled), files: scope.files,
                    rejectingLate: Set(sources.indices.filter { conditions.mayRejectLate(sources[$0].compiled) }),
                    constraints: otherConstraints, lateLinks: waitingRelationships, hasRivals: unproven != nil,
                    distinctKeys: distinctKeys, counted: conditions.countedRelationships,
                    changing: conditions.changingResolvers, severalKeys: conditions.rootsOfSeveralKeys),
                resolvers,
                layout: layout,
                limits: options.fixedLimits.assembly)
            assembler = RecordAssembler(self, assembled, conditions)
        } catch {
            throw SQLiteError(building: error)
        }
    }

    /// Completes the assembled file, and counts its objects and links.
    func finishAssembly() throws {
        guard let assembler else { return }
        self.assembler = nil
        let assembled = assembler.assembled
        options.onStage?(.building)
        try SQLiteError.ofBuilder {
            try assembled.finish(AssemblyReport(importer: self, conditions: assembler.conditions))
        }
        indexes.knowledge.forgetDeferred()
        for (resolver, destination) in zip(resolvers, assembled.destinations) where resolver.isSourceKey {
            // Each row of an object was added with its key, so only the assembly knows whether several objects have the
            // same key.
            resolver.hasDuplicates = destination.keys.duplicates.contains(destination.entity)
        }
        for stream in assembled.streams.joined() where stream.form != nil {
            let (name, counts) = (stream.object.entityName, stream.counts)
            var report = ImportReport.EntityReport(entity: name)
            report.updated = counts.updated
            report.unchanged = counts.unchanged
            report.skipped = counts.skipped
            report.inserted =
                stream.taken - counts.updated - counts.unchanged - counts.skipped - counts.rejected - counts.makers
            tally[name].add(report)
        }
        assembled.forEachRelationship { object, links in linkCounts.count(.related, links, in: object.slot) }
        assembled.forEachTable { root, objects, created in
            keys.take(upTo: objects + 1, inTableOf: root)
            for (entity, count) in created {
                let isMeant: (ReferenceResolver) -> Bool =
                    entity == 0 ? { $0.entityTable.root == root } : { $0.entityNumber == entity }
                guard let resolver = resolvers.first(where: isMeant) else { continue }
                let name = layout.model.entities[resolver.slot].name
                tally[name].inserted += count
            }
        }
    }
}
