import RecordSources

/// Consecutive batches of a source: those that begin in a range of its bytes, or in a range of its records.
///
/// Batches are never divided: the shards read the same batches as a run over the whole source.
enum RecordRange: Equatable {
    case bytes(Range<Int>)
    case records(Range<Int>)

    /// Returns the place of a batch, which has at least one record.
    func place(of batch: RecordBatch) -> Place {
        let (start, range) =
            switch self {
            case .bytes(let range): (batch[0].sourceOffset, range)
            case .records(let range): (batch.start.record, range)
            }
        return start < range.lowerBound ? .before : start < range.upperBound ? .inside : .behind
    }

    enum Place {
        case before, inside
        /// The batch and all later ones are after the range.
        case behind
    }
}
