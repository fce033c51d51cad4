import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// What waits until all records are read.
extension BulkImporter {
    /// Writes the links that waited; then the bookkeeping.
    func finish() throws -> ImportReport {
        try writePendingLinks()
        for (sourceIndex, source) in sources.enumerated() {
            for (index, object) in source.objects.enumerated() {
                for replacement in replacements[sourceIndex][index] {
                    guard let replacement else { continue }
                    entityReports[object.entityName, default: .init(entity: object.entityName)].unrelated +=
                        try replacement.endOthers()
                    try replacement.order()
                    try replacement.close()
                }
            }
        }
        try history?.finish()
        try keys.store(in: connection)
        for resolver in resolvers {
            let name = layout.model.entities[resolver.slot].name
            if resolver.created > 0 {
                entityReports[name, default: .init(entity: name)].inserted += resolver.created
            }
            if resolver.hasDuplicates {
                report.findings.append("\(name): several objects have the same \(resolver.keyName); links lead to the first")
            }
        }
        report.entities = entityReports.values.sorted { $0.entity < $1.entity }
        return report
    }

    func writePendingLinks() throws {
        try pending.forEachBatch(of: 1000) { links in
            if options.isCancelled?() ?? false { throw ImportError.cancelled }
            var start = 0
            while start < links.count {
                var end = start
                while end < links.count, links[end].source == links[start].source, links[end].object == links[start].object,
                    links[end].relationship == links[start].relationship {
                    end += 1
                }
                try writePending(links[start..<end])
                start = end
            }
        }
        try pending.close()
    }

    private func writePending(_ links: ArraySlice<PendingLink>) throws {
        guard let first = links.first else { return }
        let object = sources[first.source].objects[first.object]
        let relationship = (object.toOnes + object.toManys)[first.relationship]
        guard case .key(let target) = relationship.target,
            let writer = linkWriters[first.source][first.object][first.relationship]
        else { return }
        let replacement = replacements[first.source][first.object][first.relationship]
        let resolver = resolvers[target.resolver]
        let keyed = links.compactMap { link in ReferenceKey(link.key).map { (link, $0) } }
        if !resolver.isCached {
            for (table, columns) in resolver.indexedColumns { try indexes.require(columns, of: table) }
            try resolver.fetch(keyed.map(\.1))
        }
        for (link, key) in keyed {
            guard let found = try resolver.target(of: key.bytes) ?? create(key, target, resolver) else {
                noteAbsence(link, key, target, object, relationship)
                continue
            }
            if link.isReplacing || writer.place.isSymmetric {
                try replacement?.note(
                    owner: link.owner, destination: found.primaryKey, record: link.record, place: link.place,
                    ordinal: link.ordinal)
            }
            let owner = KeyIndex.Target(primaryKey: link.owner, entity: link.ownerEntity)
            guard try writer.link(owner: owner, destination: found) else { continue }
            entityReports[object.entityName, default: .init(entity: object.entityName)].related += 1
            if first.relationship < object.toOnes.count {
                try inverseWriters[first.source][first.object][first.relationship]?
                    .follow(owner: link.owner, entity: link.ownerEntity, destination: found.primaryKey)
            }
        }
    }

    private func noteAbsence(
        _ link: PendingLink, _ key: ReferenceKey, _ target: CompiledKeyTarget, _ object: CompiledObject,
        _ relationship: CompiledRelationship
    ) {
        report.unresolvedLinks += 1
        guard report.findings.count < 100 else { return }
        report.findings.append(
            "line \(link.line): \(object.entityName).\(relationship.name): no object of "
                + "\(layout.model.entities[target.slot].name) has the \(resolvers[target.resolver].keyName) \(key.shown)")
    }
}
