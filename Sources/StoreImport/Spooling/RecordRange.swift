import RecordSources

/// Some batches of a source, one behind the other: those that begin in a range of its bytes, or by their first record.
///
/// Batches are never cut: all shards read the batches that a run over the whole source reads.
enum RecordRange: Equatable {
    case bytes(Range<Int>)
    case records(Range<Int>)

    /// Where a batch lies; it has at least one record.
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
        /// As are all that come after it.
        case behind
    }
}
