import ImportMappings
import ManagedObjectModels
import RecordSources
import SQLiteAccess

/// A search for all faults of a rejected record, whose conversion ended at its first fault.
///
/// The record is converted again individually. So records without faults cost nothing, and memory holds the reasons of
/// one record, at most one for each property of the mapping.
final class RecordInspector {
    /// Returns the reason why the destination of a to-one relationship does not exist; nil if it exists, or if this is
    /// not known.
    typealias LinkQuestion = (ReferenceKey, CompiledKeyTarget, CompiledRelationship) throws -> RejectionReason?

    private let converter: RecordConverter
    private var work: ConvertedBatch
    /// The reasons, by position in the mapping.
    private var found: [Int: RejectionReason] = [:]

    init(_ source: CompiledSource) {
        converter = RecordConverter(source: source)
        work = ConvertedBatch(for: source, limits: RecordBatch.Limits(rows: 1, bytes: 1))
    }

    /// Returns all reasons to reject a record, in the order of the mapping.
    ///
    /// - Parameters:
    ///   - known: the fault that was found first.
    ///   - question: looks up the destinations of to-one relationships.
    func reasons(
        of record: Int, rejectedFor known: RejectionReason, in batch: inout RecordBatch, _ question: LinkQuestion
    ) rethrows -> [RejectionReason] {
        swap(&work.batch, &batch)
        let (arenaCount, source) = (work.batch.arena.count, converter.source)
        defer {
            work.batch.truncateArena(to: arenaCount)
            swap(&work.batch, &batch)
            work.roundings.removeAll(keepingCapacity: true)
            found.removeAll(keepingCapacity: true)
        }
        // Only one record at a time is marked as rejected here.
        while work.isRejected.count <= record { work.isRejected.append(false) }
        found[known.place] = known
        // A link is only followed when all values of the record have been converted without a fault.
        let isSound = known.fault.isOfLink
        for index in source.conversionOrder {
            let object = source.objects[index]
            convert(object, record, instancesOnly: isSound && !isAsked(object))
        }
        for object in source.objects {
            let instances = work.instances[object.index]
            lookForAbsentValues(object, instances, known)
            try look(at: object, instances, record, question)
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether absent values are looked for whatever the first fault is: an object without a key must be new.
    private func isAsked(_ object: CompiledObject) -> Bool { !object.hasKey && !object.isPart }

    /// Converts the values of an object one by one.
    ///
    /// - Parameter instancesOnly: whether only the instances are needed, without values.
    private func convert(_ object: CompiledObject, _ record: Int, instancesOnly: Bool) {
        var instances = ObjectInstances(attributeCount: 0, toOneCount: 0)
        swap(&instances, &work.instances[object.index])
        defer { swap(&instances, &work.instances[object.index]) }
        instances.removeAll()
        if object.isPart {
            var parent = 0
            converter.appendParts(of: record, object, firstParent: &parent, &instances, &work)
        } else {
            instances.append(record: record, node: -1)
        }
        if instancesOnly { return }
        for instance in 0..<instances.count {
            for (position, attribute) in object.attributes.enumerated() {
                converter.convert(position, attribute, object, instance, &instances, &work)
                takeRefusal(of: record)
            }
        }
        converter.prepareLists(of: object, &instances)
        for position in object.toManys.indices {
            converter.convertList(position, of: object, &instances, &work)
            takeRefusal(of: record)
        }
    }

    /// Stores the refusal of the converter, and removes it, so that the converter continues.
    private func takeRefusal(of record: Int) {
        guard let refusal = work.refusals.popLast() else { return }
        work.isRejected[record] = false
        note(refusal.reason)
    }

    /// Stores a reason. Several parts of a record may have the same fault; the first one is kept.
    private func note(_ reason: RejectionReason) {
        if found[reason.place] == nil { found[reason.place] = reason }
    }

    /// Finds required attributes that the record does not have, for an object that must be new.
    private func lookForAbsentValues(
        _ object: CompiledObject, _ instances: ObjectInstances, _ known: RejectionReason
    ) {
        guard object.onMissing == .create else { return }
        let isNew = known.fault == .noValue && known.place == object.reason(.noValue, known.property).place
        guard isNew || isAsked(object) else { return }
        for instance in 0..<instances.count {
            for name in object.unfilled { note(object.reason(.noValue, name)) }
            for position in instances.unfilledPositions(instance, object) {
                note(object.reason(.noValue, object.attributes[position].attribute.name))
            }
        }
    }

    /// Examines the keys of an object that exist only in the source, and the keys of its destinations.
    private func look(
        at object: CompiledObject, _ instances: ObjectInstances, _ record: Int, _ question: LinkQuestion
    ) rethrows {
        for instance in 0..<instances.count {
            let node = Int(instances.nodes[instance])
            if !object.sourceKey.isEmpty {
                do throws(RejectionReason) {
                    _ = try work.batch.key(object.sourceKey, of: record, node: node)
                } catch {
                    note(error.of(object, CompiledObject.sourceKeyName))
                }
            }
            for relationship in object.toOnes {
                if let reason = try reason(relationship, object, instance, record, question) {
                    note(reason.of(object, relationship.name))
                }
            }
        }
    }

    /// Returns the fault of a to-one relationship.
    private func reason(
        _ relationship: CompiledRelationship, _ object: CompiledObject, _ instance: Int, _ record: Int,
        _ question: LinkQuestion
    ) rethrows -> RejectionReason? {
        guard case .key(let target) = relationship.target else {
            return nullFault(relationship, object, instance, record)
        }
        let key: ReferenceKey?
        do throws(RejectionReason) {
            let (found, isPresent) = try work.batch.key(
                target.parts, of: record, node: Int(work.instances[object.index].nodes[instance]))
            if found == nil, isPresent, !relationship.relationship.isOptional {
                return RejectionReason(.noDestination, column: target.sourceName)
            }
            key = found
        } catch {
            return error
        }
        guard let key else { return nil }
        return try question(key, target, relationship)
    }

    /// Returns the fault that the destination of a required to-one relationship in the same record is null.
    private func nullFault(
        _ relationship: CompiledRelationship, _ object: CompiledObject, _ instance: Int, _ record: Int
    ) -> RejectionReason? {
        guard case .object(let other) = relationship.target, !relationship.relationship.isOptional,
            let path = converter.source.objects[other].records
        else { return nil }
        let start = converter.source.partStart(
            of: converter.source.objects[other], for: (object.index, instance),
            root: Int(work.batch[record].rootNode)
        ) { (Int(work.instances[$0].nodes[$1]), Int(work.instances[$0].parents[$1])) }
        guard let start, path.leadsToNull(work.batch.nodes, from: start) else { return nil }
        return RejectionReason(.nullDestination, column: path.text)
    }
}
