import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// Which records are written, skipped and rejected, and the objects of one record.
extension AssemblyConditions {
    /// Records that are only for objects that are there, or only for new ones.
    @_optimize(size)
    func reasonsOfPolicies() -> [String] {
        var reasons: Set<String> = []
        for source in sources.map(\.compiled) {
            for object in source.objects {
                if object.onMissing == .skip, !source.skipsPlainly {
                    reasons.insert("records are skipped whose objects are missing, and have others or need them")
                }
                if object.onMissing == .skip, keepsSkipped {
                    reasons.insert("records that are skipped behind rejected ones are written to files")
                }
            }
        }
        return reasons.sorted()
    }

    @_optimize(size)
    func reasonsOfRequirements() -> [String] {
        sources.map(\.compiled).filter { $0.objects.count > 1 }.flatMap(reasonsOfSeveralObjects)
    }

    /// Records whose objects are written one after the other.
    @_optimize(size)
    private func reasonsOfSeveralObjects(_ source: CompiledSource) -> [String] {
        var reasons: [String] = []
        if source.orderOfNewObjects == nil {
            reasons.append("objects of a record refer to each other in a circle")
        }
        // Whether an object is there that a record needs may depend on which of the others are new.
        if source.isSequential, source.objects.contains(where: { $0.onMatch == .error && $0.hasKey }),
            source.objects.contains(where: { needsLate($0) || $0.onMissing != .create })
        {
            reasons.append(
                "several objects of a record, of which some must be new, may be the same or name each other, and need "
                    + "others or must be there")
        }
        return reasons
    }

    /// Whether a record may turn out to be rejected when all are read.
    func mayRejectLate(_ source: CompiledSource) -> Bool {
        mayBeMiscounted(source)
            || source.objects.contains { object in
                needsMore(object, of: source)
                    || mayBeRefused(object)
                    || (object.toOnes + object.toManys).contains { relationship in
                        if case .key(let target) = relationship.target { makesUnique(target) } else { false }
                    }
                    || object.toManys.contains { mayLackOwners($0, of: object) }
            }
    }

    /// Whether an object may turn out to lack what it cannot be without when all records are read.
    func needsMore(_ object: CompiledObject, of source: CompiledSource) -> Bool {
        needsLate(object) || object.isForSome
            || source.mayLackFields && object.hasKey && object.attributes.contains(where: \.isNeeded)
    }

    /// Whether an object cannot be without what may turn out to be nowhere when all records are read.
    func needsLate(_ object: CompiledObject) -> Bool {
        needsLateDestinations(object)
            || object.toManys.contains { relationship in
                if case .key(let target) = relationship.target { target.isRequiredInList } else { false }
            }
    }

    /// Whether an object cannot be without a to-one whose destination the files may still have, or that is part of its key.
    private func needsLateDestinations(_ object: CompiledObject) -> Bool {
        object.toOnes.enumerated().contains { position, relationship in
            guard case .key(let target) = relationship.target, scope.lastFiles[target.slot] != nil else { return false }
            return relationship.isNeeded(target)
                || object.keyRelationships.contains(position) && !target.makesMissing
        }
    }
}

extension CompiledSource {
    /// Whether a record that is skipped because its object is missing comes to nothing else.
    fileprivate var skipsPlainly: Bool {
        objects.count == 1
            && objects.allSatisfy { object in
                object.hasKey
                    && !(object.toOnes + object.toManys).contains { relationship in
                        guard case .key(let target) = relationship.target else { return true }
                        return target.makesMissing || relationship.isNeeded(target) || target.isRequiredInList
                    }
            }
    }
}

extension CompiledObject {
    /// Whether records are only for objects that are there, or only for others.
    var isForSome: Bool { hasKey && (onMatch == .error || onMissing == .error) }
}
