import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// A client of the assembly that reports references without a destination, and rejects records, after all objects have
/// been added.
struct AssemblyReport: AssemblyClient {
    let importer: ImportSession
    let conditions: AssemblyConditions

    /// Decodes a note about a record.
    private func note(_ payload: Span<UInt8>) throws(BuildError) -> SpooledNote {
        do throws(SpoolDecoder.Fault) {
            return try SpooledNote(payload)
        } catch {
            throw BuildError(
                .conversion("what was noted of a record cannot be read again"), path: importer.connection.path)
        }
    }

    func absent(_ payload: Span<UInt8>, owner: Int64) throws {
        guard
            case .reference(let record, let line, let index, let position, let ordinal, let key) = try note(payload)
        else { return }
        let source = importer.source(of: record)
        let object = source.entities[index].object
        try importer.linkStage.absent.append(
            PendingLink(
                source: source.index, object: index, relationship: position, owner: owner,
                ownerEntity: Int64(object.entityNumber), record: record, line: line, isReplacing: false, place: .null,
                ordinal: Int64(ordinal), number: source.entities[index].relationships[position].number,
                role: position < object.toOnes.count ? .toOne : [], key: KeyBytes.values(of: key)))
    }

    func rejected(_ payload: Span<UInt8>, isMatch: Bool) throws {
        let note = try note(payload)
        if case .mismatch(let entry, let index, let positions) = note {
            let object = importer.source(of: entry.record).entities[index].object
            if isMatch { return try reject(entry, [object.reason(.exists)]) }
            return try reject(
                entry,
                object.onMissing == .error
                    ? [object.reason(.noMatch)]
                    : positions.map { object.reason(.noValue, object.attributes[$0].attribute.name) })
        }
        if case .unowned(let entry, let index, let position) = note {
            let list = importer.source(of: entry.record).entities[index].object.toManys[position]
            guard let (rule, fault) = conditions.demand(of: list) else { return }
            let entity = importer.layout.model.entities[list.relationship.destination].name
            return try reject(entry, [RejectionReason(.rule(fault), entity: entity, property: rule.name)])
        }
        let (record, reasons) = reasons(note)
        guard !reasons.isEmpty, let entry = try importer.linkStage.absent.entry(record) else { return }
        try reject(entry, reasons)
    }

    func notUnique(_ payload: Span<UInt8>, constraint: Int, rival: Int64?) throws {
        let note = try note(payload)
        if case .unmakable(let entry, let index, let position, let key) = note {
            let object = importer.source(of: entry.record).entities[index].object
            let relationship = (object.toOnes + object.toManys)[position]
            guard case .key(let target) = relationship.target,
                let constraints = conditions.otherConstraints[importer.resolvers[target.resolver].entityTable.root]
            else { return }
            return try reject(
                entry,
                [
                    target.refusal(KeyBytes.values(of: key), constraints[constraint].violation)
                        .of(object, relationship.name)
                ])
        }
        if case .notUniqueInList(let entry, let index, let position) = note {
            let list = importer.source(of: entry.record).entities[index].object.toManys[position].relationship
            let entity = importer.layout.model.entities[list.destination]
            guard let constraints = conditions.otherConstraints[entity.root] else { return }
            if let rival { try importer.unproven?.rivals.append(rival, of: entry.record) }
            return try reject(
                entry, [RejectionReason(.notUnique(constraints[constraint].violation), entity: entity.name)])
        }
        guard case .notUnique(let entry, let index) = note else { return }
        let object = importer.source(of: entry.record).entities[index].object
        guard let constraints = conditions.otherConstraints[object.table.root], constraint < constraints.count else {
            return
        }
        if let rival { try importer.unproven?.rivals.append(rival, of: entry.record) }
        try reject(entry, [object.reason(.notUnique(constraints[constraint].violation))])
    }

    func miscounted(_ payload: Span<UInt8>, rule: Int, count: Int64) throws {
        let counted = conditions.countedRelationships[rule]
        guard case .counted(let entry, _) = try note(payload), let fault = counted.rule.fault(count) else { return }
        let entity = importer.layout.model.entities[counted.slot].name
        try reject(entry, [RejectionReason(.rule(fault), entity: entity, property: counted.rule.name)])
    }

    /// Rejects a record. If other records also wait to be rejected, it takes its place among them.
    private func reject(_ entry: PendingRecords.Entry, _ reasons: [RejectionReason]) throws {
        if let taken = importer.taken {
            // The record may already have been rejected because of another object.
            guard try !taken.contains(entry.record) else { return }
            try taken.append(entry, reasons)
        } else {
            try importer.settlement.reject(entry, reasons)
        }
        try importer.settlement.countRejected(entry)
    }

    private func reasons(_ note: SpooledNote) -> (record: Int64, reasons: [RejectionReason]) {
        switch note {
        case .incomplete(let record, let index, let positions):
            let object = importer.source(of: record).entities[index].object
            return (record, positions.map { object.reason(.noValue, object.attributes[$0].attribute.name) })
        case .reference(let record, _, let index, let position, _, let key):
            let object = importer.source(of: record).entities[index].object
            let relationship = (object.toOnes + object.toManys)[position]
            guard case .key(let target) = relationship.target, let key = ReferenceKey(KeyBytes.values(of: key)) else {
                return (record, [])
            }
            let refusal = importer.settlement.refusal(
                key, target, object, relationship, isKey: object.keyRelationships.contains(position))
            return (record, refusal.map { [$0] } ?? [])
        case .notUnique(let entry, _), .mismatch(let entry, _, _), .unowned(let entry, _, _), .counted(let entry, _),
            .unmakable(let entry, _, _, _), .notUniqueInList(let entry, _, _):
            return (entry.record, [])
        }
    }

    func isSame(_ value: [UInt8], _ other: [UInt8]) -> Bool { importer.external.areSame(value, other) }

    func checkpoint() throws {
        if importer.options.isCancelled?() ?? false { throw ImportError.cancelled }
        importer.options.onStage?(.building)
    }
}
