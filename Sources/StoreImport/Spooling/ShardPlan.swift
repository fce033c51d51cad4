import ImportMappings
import PersistentStores
import RecordSources

/// The records of each file that belong to a shard (docs/importing.md#shards).
struct ShardPlan {
    /// For each file, its records; nil if the shard has no records of it.
    private(set) var ranges: [RecordRange?] = []

    /// Divides the bytes of all files, as if the files followed each other.
    init(_ shard: ImportShard, of inputs: ImportInputs, _ opening: SourceOpening) throws {
        let sizes = inputs.files.map { max(1, Int(clamping: FileSystem.size($0.path) ?? 0)) }
        var total = 0
        for size in sizes { total = total.addingReportingOverflow(size).overflow ? .max : total + size }
        let share = shard.share(of: total)
        var base = 0
        for (file, size) in zip(inputs.files, sizes) {
            let end = base.addingReportingOverflow(size).overflow ? .max : base + size
            ranges.append(try Self.range(share, of: file, base..<end, inputs.mapping(of: file).source.format, opening))
            base = end
        }
    }

    private static func range(
        _ share: Range<Int>, of file: ImportInputs.File, _ place: Range<Int>, _ format: SourceFormat,
        _ opening: SourceOpening
    ) throws -> RecordRange? {
        let common = share.clamped(to: place)
        guard !common.isEmpty else { return nil }
        let kind = try SourceOpening.kind(of: file.path, format)
        let isCompressed = try kind.format.isStream && ByteInput(path: file.path).compression != nil
        switch isCompressed ? RecordDivision.none : kind.format.division {
        case .none: return share.contains(place.lowerBound) ? .bytes(0..<Int.max) : nil
        case .bytes:
            // The last shard continues to the end of the file.
            let end = common.upperBound == place.upperBound ? Int.max : common.upperBound - place.lowerBound
            return .bytes(common.lowerBound - place.lowerBound..<end)
        case .records:
            let count = try kind.format.recordCount(file.path, format, opening)
            func number(_ offset: Int) -> Int {
                place.count.dividingFullWidth(count.multipliedFullWidth(by: offset)).quotient
            }
            let end = common.upperBound == place.upperBound ? Int.max : number(common.upperBound - place.lowerBound)
            return .records(number(common.lowerBound - place.lowerBound)..<end)
        }
    }
}
