import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources

/// Keys that exist only in the sources.
extension ImportCompiler {
    func checkParts(_ count: Int, of entity: String) throws(ImportPlanError) {
        guard count > PendingLink.largestKey else { return }
        throw ImportPlanError(.badSetting("a key has at most \(PendingLink.largestKey) parts"), entity: entity)
    }

    /// Returns the values by which other records refer to a mapping's objects.
    func sourceKey(
        _ values: [ValueOrigin], of entity: ResolvedEntity, isNested: Bool, _ fields: inout FieldCatalog
    ) throws(ImportPlanError) -> [CompiledKeyTarget.Part] {
        try checkParts(values.count, of: entity.name)
        // The values are compared as texts, no matter what type they have in the source.
        let conversion: ValueConversion
        do throws(ConversionSettingsError) {
            conversion = try ValueConversion(
                to: .string, settings: ConversionSettings(), inherited: settings, sourceFolder: sourceFolder)
        } catch {
            throw ImportPlanError(.badSetting(error.description))
        }
        var parts: [CompiledKeyTarget.Part] = []
        for value in values {
            parts.append(
                CompiledKeyTarget.Part(
                    origin: try origin(value, isNested: isNested, &fields), conversion: conversion,
                    sourceName: value.name))
        }
        return parts
    }

    /// Returns the target of a relationship whose destinations are referred to by their source keys.
    @_optimize(size)
    mutating func compileSourceKey(
        _ key: RelationshipMapping.KeyTarget, of entity: ResolvedEntity, _ table: EntityTable, isPath: Bool,
        _ fields: inout FieldCatalog
    ) throws(ImportPlanError) -> CompiledKeyTarget {
        guard mapping.hasSourceKey(ofParts: key.parts.count, for: entity, in: model) else {
            throw ImportPlanError(.noSourceKey(parts: key.parts.count), entity: entity.name)
        }
        if key.missing == .create {
            throw ImportPlanError(
                .badSetting("no object can be created from a source key; say \"onMissing: skip\" or \"error\""),
                entity: entity.name)
        }
        let parts = try sourceKey(key.parts.map(\.value), of: entity, isNested: isPath, &fields)
        let reference = CompiledReferenceKey(sourceKeyOfParts: parts.count)
        return CompiledKeyTarget(
            slot: entity.slot, parts: parts, separator: key.separator.map { Array($0.utf8) }, missing: key.missing,
            unfilled: nil, clash: .none, resolver: resolver(entity.slot, reference, table))
    }
}
