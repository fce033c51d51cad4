import ManagedObjectModels
import MappingDrafting
import RecordSources

/// A search for the records of an entity in a JSON or XML file whose mapping does not specify where they are.
///
/// These are the records with the most values that have the names of the entity's attributes; if there are several,
/// those whose name is that of the entity.
struct EntityRecordFinding {
    let sample: SourceSample

    /// - Returns: nil if the file can be read only once.
    /// - Throws: `SourceError`; `ImportPlanError` if several kinds of records fit equally well.
    init?(path: String, entity: ResolvedEntity) throws {
        guard !StreamInput.isStream(path) else { return nil }
        let found = try SourceSampler.candidates(of: path, within: DraftLimits()).map { sample in
            let likeness =
                sample.titles.map { EntityMatching.likeness(NameWords($0), NameWords(entity.name)) }.max() ?? 0
            return (sample: sample, fields: ColumnMatching.likeness(sample.records, entity), likeness: likeness)
        }
        guard let best = found.max(by: { ($0.fields, $0.likeness) < ($1.fields, $1.likeness) }) else { return nil }
        // The document itself comes first, and is used unless another part fits better.
        let equals = found.filter { $0.fields == best.fields && $0.likeness == best.likeness }
        if equals.count > 1, best.fields > 0, best.sample.format.kind?.format.hasDefaultRecords == false {
            throw ImportPlanError(
                .severalRecordPaths(equals.compactMap(\.sample.format.records)), source: path, entity: entity.name)
        }
        sample = equals[0].sample
    }
}
