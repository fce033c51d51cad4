import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// The conversion of single values, including all exceptional cases.
extension RecordConverter {
    /// Converts an attribute's value, or uses a default if it is absent, and checks it.
    func convert(
        _ position: Int, _ attribute: CompiledAttribute, _ object: CompiledObject, _ instance: Int,
        _ instances: inout ObjectInstances, _ work: inout ConvertedBatch
    ) {
        let record = Int(instances.records[instance])
        guard !work.isRejected[record] else { return }
        let field = self.field(attribute.origin, record, Int(instances.nodes[instance]), &work.batch)
        let place = instance * object.attributes.count + position
        var explanation: String?
        do throws(ConversionFailure) {
            if let naming = attribute.fileNaming {
                guard try !takeFile(naming, field, place, &instances, &work) else { return }
            }
            var value = try attribute.value(of: field, in: &work.batch, &explanation)
            if value == .null, let text = attribute.defaultText {
                let start = work.batch.appendValue(text)
                value = try attribute.value(
                    of: RecordField(.quoted, start: start, length: text.count), isText: true, in: &work.batch,
                    &explanation)
            } else if value == .null {
                if field.kind == .missing { instances.cellPresent[place] = false }
                if let modelDefault = attribute.modelDefault {
                    instances.cells[place] = work.batch.value(of: modelDefault)
                    return
                }
                if field.kind == .missing {
                    if !attribute.check.isOptional, instances.unfilled[instance] < 0 {
                        instances.unfilled[instance] = Int32(position)
                    }
                    return
                }
            }
            if let fault = attribute.check.fault(value, in: work.batch.arena) {
                return refuse(record, field, attribute, object, .rule(fault), &work)
            }
            if attribute.isExternal, case .blob(let range) = value {
                // docs/format/sqlite-store.md#external-binary-data: tag 1, followed by the data inline.
                let bytes = [1] + Array(work.batch.arena[range.range])
                value = .blob(work.batch.appendRange(bytes))
            }
            if attribute.conversion.target == .decimal, case .text(let range) = value,
                let stored = DecimalConversion.storedNumber(work.batch.arena.span.extracting(range.range))
            {
                value = stored.value
                if stored.isRounded {
                    guard !object.keyAttributes.contains(position) else { throw ConversionFailure(.inexactKey) }
                    work.roundings.append(
                        ConvertedBatch.Rounding(
                            record: record, entity: object.entityName, attribute: attribute.attribute.name))
                }
            }
            instances.cells[place] = value
        } catch {
            let expected = explanation ?? attribute.conversion.expectation
            let reason = work.batch.reason(error, field, expected: expected, column: attribute.sourceName)
            refuse(record, field, attribute, object, reason, &work)
        }
    }

    /// Records the file that a value names, which is read when its object is written; returns false if the value is
    /// NULL.
    private func takeFile(
        _ naming: (conversion: ValueConversion, folder: BinaryFolder), _ field: RecordField, _ place: Int,
        _ instances: inout ObjectInstances, _ work: inout ConvertedBatch
    ) throws(ConversionFailure) -> Bool {
        guard field.kind != .blob,
            case .text(let range) = try naming.conversion.convert(field, in: &work.batch)
        else { return false }
        instances.files[place] = try BinaryFile(Array(work.batch.arena[range.range]), in: naming.folder)
        return true
    }

    func refuse(
        _ record: Int, _ field: RecordField, _ attribute: CompiledAttribute, _ object: CompiledObject,
        _ fault: RejectionFault, _ work: inout ConvertedBatch
    ) {
        guard !work.isRejected[record] else { return }
        let value = Array(work.batch.textBytes(of: field))
        let reason = RejectionReason(fault, column: attribute.sourceName, value: value)
        refuse(record, field, attribute, object, reason, &work)
    }

    private func refuse(
        _ record: Int, _ field: RecordField, _ attribute: CompiledAttribute, _ object: CompiledObject,
        _ reason: RejectionReason, _ work: inout ConvertedBatch
    ) {
        guard !work.isRejected[record] else { return }
        var reason = reason.of(object, attribute.attribute.name)
        reason.isQuotedEmptyText =
            field.kind == .quoted && field.length == 0 && attribute.check.isOptional
            && attribute.conversion.emptyText == .unlessQuoted
        work.refuse(record, reason)
    }

    /// Returns the value of a record, or of a part of it.
    func field(_ origin: CompiledOrigin, _ record: Int, _ node: Int, _ batch: inout RecordBatch) -> RecordField {
        origin.field(record, node, &batch)
    }
}
