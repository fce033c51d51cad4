import RecordSources

/// A batch of records as the values of objects: what one core makes while another writes the batch before.
///
/// All of it lies in flat buffers that are used again; it refers to nothing outside itself.
struct ConvertedBatch {
    /// Why a record is not imported.
    struct Refusal {
        let record: Int
        let reason: RejectionReason
    }

    /// A decimal of which a store does not keep all digits.
    struct Rounding {
        let record: Int
        let entity: String
        let attribute: String
    }

    var batch: RecordBatch
    /// For each object mapping of the source.
    var instances: [ObjectInstances]
    /// Whether a record is not imported: refused, or left out by the filter.
    var isRejected: [Bool] = []
    /// At most one for each record, in their order.
    var refusals: [Refusal] = []
    var roundings: [Rounding] = []
    /// How many records the filter left out.
    var filtered: Int64 = 0
    /// Where the records come from, for the files of rejected ones.
    var rejectSource: RejectSource?
    /// The paths that no record had so far; nil if nothing has changed.
    var missingPaths: [ImportReport.MissingPath]?

    init(for source: CompiledSource, limits: RecordBatch.Limits) {
        batch = RecordBatch(limits: limits)
        instances = source.objects.map {
            ObjectInstances(attributeCount: $0.attributes.count, toOneCount: $0.toOnes.count)
        }
    }

    /// Refuses a record, unless it is refused already: the first reason counts.
    mutating func refuse(_ record: Int, _ reason: RejectionReason) {
        guard !isRejected[record] else { return }
        isRejected[record] = true
        refusals.append(Refusal(record: record, reason: reason))
    }
}
