import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Links to objects that are taken back: they are followed again, as if these had never been there.
extension ImportSession {
    /// Notes that a link leads to an object which may be taken back; without effect where that cannot happen.
    func noteNamed(
        _ link: PendingLink, leadingTo found: KeyIndex.Target, _ target: CompiledKeyTarget, isCounted: Bool
    ) throws {
        guard let openRecords, let named else { return }
        let root = layout.model.entities[target.slot].root
        guard let role = try openRecords.makingRole(of: found.primaryKey, root: root) else { return }
        try named.append(link, root: root, destination: found.primaryKey, isCounted: isCounted)
        // An object that is only named goes when all records that name it have gone.
        if role == .created, target.missing == .create {
            let object = AffectedObject(
                root: root, primaryKey: found.primaryKey, entity: found.entity, role: .created)
            try openRecords.append(object, of: link.record)
        }
    }

    /// Notes the to-ones of a batch that lead to objects which may be taken back.
    func noteNamedToOnes(_ source: SourceImport, _ batch: inout RecordBatch) throws {
        guard let openRecords, !openRecords.roots.isEmpty else { return }
        for entity in source.entities {
            let object = entity.object
            for (position, relationship) in object.toOnes.enumerated() {
                guard case .key(let target) = relationship.target else { continue }
                let root = layout.model.entities[target.slot].root
                guard openRecords.roots.contains(root) else { continue }
                for instance in 0..<entity.instances.count where mayLink(entity, instance) {
                    let place = instance * object.toOnes.count + position
                    let destination = entity.instances.toOneKeys[place]
                    guard destination > 0, entity.instances.toOnePresent[place],
                        try openRecords.makingRole(of: destination, root: root) != nil
                    else { continue }
                    let record = Int(entity.instances.records[instance])
                    let (key, _) = try key(target.parts, record, Int(entity.instances.nodes[instance]), &batch)
                    guard let key else { continue }
                    let link = pendingLink(
                        position, entity, instance, batch, key: key, place: .null, ordinal: 0)
                    let found = KeyIndex.Target(
                        primaryKey: destination, entity: entity.instances.toOneEntities[place])
                    try noteNamed(link, leadingTo: found, target, isCounted: false)
                    waitingRecords.insert(record)
                }
            }
        }
    }

    /// An object is about to be removed: what leads to it is lost, and will be followed again.
    func loseLinks(to object: AffectedObject, madeBy record: Int64) throws {
        guard let openRecords, let named else { return }
        var last: Int64 = 0
        while true {
            let entries = try named.links(to: object.primaryKey, root: object.root, behind: last)
            guard let end = entries.last?.number else { return }
            last = end
            for entry in entries {
                let link = entry.link
                guard let writer = relationship(of: link).writer,
                    try taken?.contains(link.record) != true,
                    // A later record may have led it elsewhere.
                    try writer.isLinked(owner: link.owner, destination: object.primaryKey)
                else {
                    try named.forget(entry)
                    continue
                }
                let mapped = self.object(of: link)
                let isOpen = try openRecords.contains(record: link.record)
                if isOpen, writer.place.kind == .toOne {
                    try logClearing(of: link, mapped.toOnes[link.relationship].relationship)
                }
                if entry.isCounted {
                    entityReports[mapped.entityName, default: .init(entity: mapped.entityName)].related -= 1
                    let count = RecordCount(slot: mapped.slot, kind: .related, number: -1)
                    if isOpen { try openRecords.append(count, of: link.record) }
                }
                try openRecords.uncheck(link.owner, root: mapped.table.root)
                try named.lose(entry)
            }
        }
    }

    /// Notes that the columns of a to-one will be NULL, so that what was there before the record can be put back.
    private func logClearing(of link: PendingLink, _ relationship: ResolvedRelationship) throws {
        let columns = [
            layout.column(.toOne(relationship.key)), layout.column(.toOneEntity(relationship.key)),
            layout.column(.toOneOrder(relationship.key)),
        ].compactMap { $0.map { SQLiteIdentifier.quoted($0.name) } }
        guard let table = self.relationship(of: link).writer?.place.table else { return }
        for (column, value) in zip(columns, try cells(table, link.owner, columns)) where value != .null {
            try openRecords?.append(
                StoreChange(kind: .cell, table: table, key: link.owner, column: column, old: value, new: .null),
                of: link.record)
        }
    }

    /// Follows some of the links that have lost their destination again; false if there are none.
    func followLostLinks() throws -> Bool {
        guard let named else { return false }
        let links = try named.takeLost()
        guard !links.isEmpty else { return false }
        hasFollowedLostLinks = true
        let byRelationship = Dictionary(grouping: links) { [$0.source, $0.object, $0.relationship] }
        for group in byRelationship.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try write(group.value[...]) { record, rejection in try taken?.append(record, rejection) }
        }
        return true
    }

    /// Reports the links whose destination is nowhere, and writes the records that name them to files of their own.
    func writeAbsentLinks() throws {
        var last: Int64?
        try absent.forEach { link in
            guard try !(taken?.contains(link.record) ?? false) else { return }
            let canRepeat = sources[link.source].compiled.isRepeatable
            try report(link, canRepeat: canRepeat)
            guard let rejects, canRepeat, link.record != last, let source = rejectSources[Self.file(of: link.record)],
                let entry = try openRecords?.entry(link.record) ?? absent.entry(link.record)
            else { return }
            last = link.record
            try rejects.appendUnlinked(entry.captured, from: source)
        }
    }

    private func report(_ link: PendingLink, canRepeat: Bool) throws {
        let object = object(of: link)
        let relationship = relationship(of: link).compiled
        guard case .key(let target) = relationship.target, let key = ReferenceKey(link.key) else { return }
        report.unresolvedLinks += 1
        let sentence =
            "no object of \(layout.model.entities[target.slot].name) has the "
            + "\(resolvers[target.resolver].keyName) \(key.shown)"
        let file = name(ofFile: Self.file(of: link.record))
        if report.unresolvedLinks <= ImportReport.shownLinks {
            report.findings.append(
                "\(StandardInput.title(of: file)):\(link.line): \(object.entityName).\(relationship.name): \(sentence)")
        }
        let advice =
            canRepeat
            ? "import the records of \(RejectWriter.unlinkedName) files again when the object exists"
            : "relate it by hand when the object exists: the mapping would not find its object again"
        try rejects?.note(
            Rejection(
                column: target.sourceName, entity: object.entityName, property: relationship.name, code: 133000,
                error: "unresolvedLink", message: "\(sentence); the record is imported without the link; \(advice)",
                value: key.values.first?.blobOrText),
            record: Int(link.record & Self.recordMask), line: link.line, file: file)
    }
}

extension CompiledSource {
    /// Whether importing a record once more changes its objects, instead of making others.
    fileprivate var isRepeatable: Bool {
        objects.allSatisfy { ($0.hasKey || $0.isPart) && ($0.onMatch == .update || $0.onMatch == .fill) }
    }
}
