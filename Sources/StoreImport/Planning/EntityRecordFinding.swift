import ManagedObjectModels
import MappingDrafting
import RecordSources

/// Finds the records of one entity in a JSON or XML file, where no mapping says where they lie.
///
/// They are those with the most values that are called as attributes of the entity; of several, those that are called
/// as the entity itself.
struct EntityRecordFinding {
    let sample: SourceSample

    /// - Returns: nil for what can be read once only.
    /// - Throws: `SourceError`; `ImportPlanError` where several kinds of records fit alike.
    init?(path: String, entity: ResolvedEntity) throws {
        guard !StreamInput.isStream(path) else { return nil }
        let found = try SourceSampler.candidates(of: path, within: DraftLimits()).map { sample in
            let likeness =
                sample.titles.map { EntityMatching.likeness(NameWords($0), NameWords(entity.name)) }.max() ?? 0
            return (sample: sample, fields: ColumnMatching.likeness(sample.records, entity), likeness: likeness)
        }
        guard let best = found.max(by: { ($0.fields, $0.likeness) < ($1.fields, $1.likeness) }) else { return nil }
        // The document itself comes first, and is meant unless more speaks for another part.
        let equals = found.filter { $0.fields == best.fields && $0.likeness == best.likeness }
        if equals.count > 1, best.fields > 0, best.sample.format.kind?.format.hasDefaultRecords == false {
            throw ImportPlanError(
                .severalRecordPaths(equals.compactMap(\.sample.format.records)), source: path, entity: entity.name)
        }
        sample = equals[0].sample
    }
}
