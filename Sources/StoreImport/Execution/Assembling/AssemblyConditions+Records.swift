import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// The records that are written, skipped and rejected, and the objects of one record.
extension AssemblyConditions {
    /// Returns the reasons why records that are only for existing objects, or only for new ones, cannot be assembled.
    @_optimize(size)
    func reasonsOfPolicies() -> [String] {
        var reasons: Set<String> = []
        for source in sources.map(\.compiled) {
            for object in source.objects {
                let hasSkippedKey = object.keyRelationships.contains { position in
                    guard case .object(let other) = object.toOnes[position].target else { return false }
                    return source.objects[other].onMissing == .skip
                }
                if hasSkippedKey {
                    reasons.insert("a key has a relationship to objects of the same records that may be skipped")
                }
                if object.onMissing == .skip, keepsSkipped {
                    reasons.insert("records that are skipped because of rejected ones are written to files")
                }
            }
        }
        return reasons.sorted()
    }

    @_optimize(size)
    func reasonsOfRequirements() -> [String] {
        sources.map(\.compiled).filter { $0.objects.count > 1 }.flatMap(reasonsOfSeveralObjects)
    }

    /// Returns the reasons why records with several objects cannot be assembled.
    @_optimize(size)
    private func reasonsOfSeveralObjects(_ source: CompiledSource) -> [String] {
        var reasons: [String] = []
        // Whether an object that a record needs exists may depend on which of the record's other objects are new.
        if source.isSequential, source.objects.contains(where: { $0.onMatch == .error && $0.hasKey }),
            source.objects.contains(where: { needsLate($0) || $0.onMissing != .create })
        {
            reasons.append(
                "several objects of a record may be the same object or refer to each other, some of them must be new, "
                    + "and others must exist or require objects")
        }
        return reasons
    }

    /// Returns whether a record may be rejected after all records have been read.
    func mayRejectLate(_ source: CompiledSource) -> Bool {
        source.objects.contains(where: \.isForSome) || mayRejectFound(source)
    }

    /// Returns whether a record may be rejected after all records have been read, although the objects exist that must
    /// exist, and those do not that must not.
    func mayRejectFound(_ source: CompiledSource) -> Bool {
        mayBeMiscounted(source)
            || source.objects.contains { object in
                needsMore(object, of: source)
                    || mayBeRefused(object)
                    || (object.toOnes + object.toManys).contains { relationship in
                        if case .key(let target) = relationship.target { makesUnique(target) } else { false }
                    }
                    || object.toManys.contains { mayLackOwners($0, of: object) || mayBeRefused($0) }
            }
    }

    /// Returns whether an object may turn out to lack something that it requires, after all records have been read.
    func needsMore(_ object: CompiledObject, of source: CompiledSource) -> Bool {
        needsLate(object)
            || source.mayLackFields && object.hasKey && object.attributes.contains(where: \.isNeeded)
    }

    /// Returns whether an object requires another object that may turn out not to exist, after all records have been
    /// read.
    func needsLate(_ object: CompiledObject) -> Bool {
        needsLateDestinations(object)
            || object.toManys.contains { relationship in
                if case .key(let target) = relationship.target { target.isRequiredInList } else { false }
            }
    }

    /// Returns whether an object requires the destination of a to-one relationship that the files may still contain, or
    /// that is part of its key.
    private func needsLateDestinations(_ object: CompiledObject) -> Bool {
        object.toOnes.enumerated().contains { position, relationship in
            guard case .key(let target) = relationship.target, scope.lastFiles[target.slot] != nil else { return false }
            return relationship.isNeeded(target)
                || object.keyRelationships.contains(position) && !target.makesMissing
        }
    }
}

extension CompiledObject {
    /// Whether records are only for existing objects, or only for new ones.
    var isForSome: Bool { hasKey && (onMatch == .error || onMissing == .error) }
}
