import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// The conversion of a source's records to the values of objects. It depends only on the records and the mapping.
struct RecordConverter {
    let source: CompiledSource

    /// Converts all records of a batch.
    func convert(_ work: inout ConvertedBatch) {
        work.isRejected.removeAll(keepingCapacity: true)
        work.isRejected.append(contentsOf: repeatElement(false, count: work.batch.count))
        work.refusals.removeAll(keepingCapacity: true)
        work.roundings.removeAll(keepingCapacity: true)
        work.filtered = 0
        sort(&work)
        for index in source.conversionOrder {
            let object = source.objects[index]
            // The instances are temporarily moved out of the batch, so that each can be changed separately.
            var instances = ObjectInstances(attributeCount: 0, toOneCount: 0)
            swap(&instances, &work.instances[index])
            instances.removeAll()
            if object.isPart {
                convertParts(object, &instances, &work)
            } else {
                convertRecords(object, &instances, &work)
            }
            if object.hasPlainKey { instances.hashKeys(object.keyAttributes[0], in: work.batch.arena) }
            swap(&instances, &work.instances[index])
        }
        for index in source.conversionOrder where !source.objects[index].toManys.isEmpty {
            var instances = ObjectInstances(attributeCount: 0, toOneCount: 0)
            swap(&instances, &work.instances[index])
            convertLists(of: source.objects[index], &instances, &work)
            swap(&instances, &work.instances[index])
        }
        // Columns are converted one after the other, so refusals must be sorted in the order of the records.
        if work.refusals.count > 1 { work.refusals.sort { $0.record < $1.record } }
    }

    /// Refuses records that cannot be read, and excludes those that the filter does not accept.
    private func sort(_ work: inout ConvertedBatch) {
        guard source.filter != nil || !work.batch.problems.isEmpty else { return }
        for record in 0..<work.batch.count {
            if let problem = work.batch.problem(of: record) {
                work.refuse(record, RejectionReason(.unreadable(problem)))
            } else if let filter = source.filter, !filter.accepts(record, -1, &work.batch) {
                work.filtered += 1
                work.isRejected[record] = true
            }
        }
    }

    /// Converts one object for each record, column by column.
    private func convertRecords(
        _ object: CompiledObject, _ instances: inout ObjectInstances, _ work: inout ConvertedBatch
    ) {
        instances.append(records: (0..<Int32(work.batch.count)).filter { !work.isRejected[Int($0)] })
        for (position, attribute) in object.attributes.enumerated() {
            var others: [Int32] = []
            if case .field(let column) = attribute.origin, !attribute.isExternal {
                others = attribute.conversion.convertSimpleValues(
                    column: column, of: work.batch, records: instances.records, into: &instances.cells,
                    offset: position, stride: instances.attributeCount, nullStays: attribute.mayStayNull)
                check(position, attribute, object, instances, &work)
            } else {
                others = Array(0..<Int32(instances.count))
            }
            for instance in others { convert(position, attribute, object, Int(instance), &instances, &work) }
        }
        for (position, relationship) in object.toOnes.enumerated() {
            guard case .key(let target) = relationship.target else { continue }
            convertKeys(position, target, &instances, work.batch)
        }
    }

    /// Converts the keys of a to-one relationship's destinations in their most common form; the others are left to the
    /// writer.
    private func convertKeys(
        _ position: Int, _ target: CompiledKeyTarget, _ instances: inout ObjectInstances, _ batch: RecordBatch
    ) {
        guard target.parts.count == 1, let part = target.parts.first, case .field(let column) = part.origin else {
            return
        }
        let others = part.conversion.convertSimpleValues(
            column: column, of: batch, records: instances.records, into: &instances.toOneCells, offset: position,
            stride: instances.toOneCount)
        for instance in 0..<instances.count {
            instances.toOneConverted[instance * instances.toOneCount + position] = true
        }
        for instance in others { instances.toOneConverted[Int(instance) * instances.toOneCount + position] = false }
    }

    /// Checks the values of a column against the rules of the model.
    private func check(
        _ position: Int, _ attribute: CompiledAttribute, _ object: CompiledObject, _ instances: ObjectInstances,
        _ work: inout ConvertedBatch
    ) {
        guard attribute.check.hasRules else { return }
        for instance in 0..<instances.count {
            let value = instances.cell(instance, position)
            guard value != .null, let fault = attribute.check.fault(value, in: work.batch.arena) else { continue }
            let record = Int(instances.records[instance])
            let field = self.field(attribute.origin, record, -1, &work.batch)
            refuse(record, field, attribute, object, .rule(fault), &work)
        }
    }

    /// Converts one object for each part of a record.
    private func convertParts(
        _ object: CompiledObject, _ instances: inout ObjectInstances, _ work: inout ConvertedBatch
    ) {
        var parents = 0
        for record in 0..<work.batch.count where !work.isRejected[record] {
            let first = instances.count
            appendParts(of: record, object, firstParent: &parents, &instances, &work)
            for instance in first..<instances.count {
                for position in object.attributes.indices where !work.isRejected[record] {
                    convert(position, object.attributes[position], object, instance, &instances, &work)
                }
            }
        }
    }
}
