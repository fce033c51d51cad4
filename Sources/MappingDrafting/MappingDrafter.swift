internal import DocumentReading
public import ManagedObjectModels
package import RecordSources
import TextEncodings

/// Drafts an import mapping from the names, types and values in a sample of each source.
///
/// Hints for MagicalRecord, Sync and Groot in the userInfo of a model are used.
public struct MappingDrafter {
    private let model: ResolvedModel
    private let entity: ResolvedEntity?
    private let basis: DraftBasis
    private let limits: DraftLimits

    /// Prepares to draft mappings for a model.
    /// - Parameters:
    ///   - model: the model of the store to be filled.
    ///   - entity: the entity of all records; nil to find it for each source.
    /// - Throws: `MappingDraftError` if the model has no such entity, or if it is abstract.
    public init(model: ResolvedModel, entity: String? = nil) throws(MappingDraftError) {
        try self.init(model: model, entity: entity, basis: .sample)
    }

    package init(
        model: ResolvedModel, entity: String? = nil, basis: DraftBasis, limits: DraftLimits = DraftLimits()
    ) throws(MappingDraftError) {
        self.model = model
        self.basis = basis
        self.limits = limits
        guard let entity else {
            self.entity = nil
            return
        }
        guard let found = model.entity(named: entity) else {
            let suggestion = NearestName.find(entity, among: model.entities.map(\.name))
            throw MappingDraftError(.unknownEntity(entity, suggestion: suggestion))
        }
        if found.isAbstract { throw MappingDraftError(.abstractEntity(entity)) }
        self.entity = found
    }

    /// Reads the first records of each source, and drafts a mapping for all.
    /// - Throws: `SourceError`, or `SQLiteError` of a database, if a source cannot be read; `MappingDraftError` if
    ///   nothing in them matches the model.
    public func draft(of paths: [String]) throws -> MappingDraft {
        let names = model.entities.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
        let samples = try SourcePaths.files(of: paths).flatMap {
            try SourceSampler.samples(of: $0, names: names, within: limits)
        }
        var assembly = DraftAssembly(model: model, basis: basis)
        for sample in merged(samples) { assembly.add(sample, entity: entity) }
        return try assembly.draft()
    }

    /// Merges files with the same columns into one source, as parts of one export, unless they have the names of
    /// different entities.
    private func merged(_ samples: [SourceSample]) -> [(sample: SourceSample, files: [String])] {
        let names = ModelNames(model)
        var merged: [(sample: SourceSample, files: [String])] = []
        /// The flat files by their entity and columns, with the indexes of their sources.
        var places: [[String]: Int] = [:]
        var known = Set<[String]>()
        for sample in samples {
            let files = StreamInput.isStream(sample.path) ? [] : [sample.fileName]
            let columns = sample.records.fields.map(\.name)
            let isPlain = sample.relation == nil && !files.isEmpty && sample.format == SourceFormat()
            let isNew = known.insert(columns + [sample.fileName]).inserted
            let named = entity == nil ? names.likenesses(of: sample.titles).filter { $0.value == 1 }.keys.min() : nil
            let place = [named.map { model.entities[$0].name } ?? ""] + columns
            if isPlain, let same = places[place] {
                if isNew { merged[same].files += files }
            } else {
                if isPlain { places[place] = merged.count }
                merged.append((sample, files))
            }
        }
        return merged
    }
}
