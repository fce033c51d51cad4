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
                for writer in linkWriters[sourceIndex][index] {
                    guard let writer else { continue }
                    try writer.finish()
                    entityReports[object.entityName, default: .init(entity: object.entityName)].unrelated += writer.removed
                }
            }
        }
        try history?.finish()
        try keys.store(in: connection)
        for resolver in resolvers where resolver.created > 0 {
            let name = layout.model.entities[resolver.slot].name
            entityReports[name, default: .init(entity: name)].inserted += resolver.created
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

    func writePending(_ links: ArraySlice<PendingLinks.Link>) throws {
        guard let first = links.first else { return }
        let object = sources[first.source].objects[first.object]
        let relationship = (object.toOnes + object.toManys)[first.relationship]
        guard case .key(let target) = relationship.target,
            let writer = linkWriters[first.source][first.object][first.relationship]
        else { return }
        let resolver = resolvers[target.resolver]
        let keyed = links.map { link in (link, Self.keyBytes(of: link.key)) }
        if !resolver.isCached {
            try indexes.require([target.column], of: layout.table(ofEntity: target.slot)?.name ?? "")
            try resolver.fetch(keyed.map { ($0.1, $0.0.key) })
        }
        for (link, key) in keyed {
            var found = resolver.target(of: key)
            if found == nil, target.missing == .create { found = try resolver.create(key, value: link.key, keys: &keys) }
            guard let found else {
                report.unresolvedLinks += 1
                if report.findings.count < 100 {
                    report.findings.append(
                        "line \(link.line): \(object.entityName).\(relationship.name): no object of "
                            + "\(layout.model.entities[target.slot].name) has the \(target.attribute.name) \(link.key.shown)")
                }
                continue
            }
            if try writer.link(owner: .init(primaryKey: link.owner, entity: Int64(object.entityNumber)), destination: found) {
                entityReports[object.entityName, default: .init(entity: object.entityName)].related += 1
                if first.relationship < object.toOnes.count {
                    try inverseWriters[first.source][first.object][first.relationship]?
                        .follow(owner: link.owner, entity: Int64(object.entityNumber), destination: found.primaryKey)
                }
            }
        }
    }

    static func keyBytes(of value: SQLiteValue) -> [UInt8] {
        var bytes: [UInt8] = []
        switch value {
        case .null: break
        case .integer(let number): KeyBytes.append(number, to: &bytes)
        case .real(let number): KeyBytes.append(number, to: &bytes)
        case .text(let text): KeyBytes.append(text: text, to: &bytes)
        case .blob(let blob): KeyBytes.append(text: blob, tag: KeyBytes.blobTag, to: &bytes)
        }
        return bytes
    }
}
