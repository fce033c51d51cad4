import RecordSources

/// A batch of records, converted to the values of objects. One thread creates it while another one writes the batch
/// before it.
///
/// It consists of flat buffers that are reused, and refers to nothing outside itself.
struct ConvertedBatch {
    /// The reason why a record is not imported.
    struct Refusal {
        let record: Int
        let reason: RejectionReason
    }

    /// A decimal of which a store cannot represent all digits.
    struct Rounding {
        let record: Int
        let entity: String
        let attribute: String
    }

    var batch: RecordBatch
    /// The instances of each object mapping of the source.
    var instances: [ObjectInstances]
    /// For each record, whether it is not imported: refused, or excluded by the filter.
    var isRejected: [Bool] = []
    /// The refusals, at most one for each record, in order.
    var refusals: [Refusal] = []
    var roundings: [Rounding] = []
    /// The number of records that the filter excluded.
    var filtered: Int64 = 0
    /// The source of the records, for the files of rejected ones.
    var rejectSource: RejectSource?
    /// The paths that no record has had so far; nil if they have not changed.
    var missingPaths: [ImportReport.MissingPath]?

    init(for source: CompiledSource, limits: RecordBatch.Limits) {
        batch = RecordBatch(limits: limits)
        instances = source.objects.map {
            ObjectInstances(attributeCount: $0.attributes.count, toOneCount: $0.toOnes.count)
        }
    }

    /// Refuses a record, unless it was refused before: the first reason is kept.
    mutating func refuse(_ record: Int, _ reason: RejectionReason) {
        guard !isRejected[record] else { return }
        isRejected[record] = true
        refusals.append(Refusal(record: record, reason: reason))
    }
}
