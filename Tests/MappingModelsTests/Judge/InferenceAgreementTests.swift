import Foundation
import ManagedObjectModels
import MappingModels
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent && Judge.isPresent, "the corpus or its checker is not on this machine"))
struct InferenceAgreementTests {
    @Test(.long) func pairsAndRefusalsAreTheCheckersForTheModelsOfTheCorpus() throws {
        let pairs = CorpusVersions.bundles.flatMap(CorpusVersions.pairs)
        let verdicts = try Judge.verdicts(on: pairs)
        #expect(verdicts.count == pairs.count)
        let models = CorpusModels()
        var refused = 0
        for (pair, verdict) in zip(pairs, verdicts) {
            let correspondence = try models.correspondence(of: pair)
            let place = Comment(rawValue: "\(pair.source) -> \(pair.destination)")
            #expect(Self.entities(correspondence) == verdict.entities, place)
            #expect(Self.properties(correspondence) == verdict.properties, place)
            let mapping = InferredMapping(correspondence)
            // What is moved here though Core Data infers no mapping for it: the checker does not know.
            let refusals = mapping.refusals.filter(\.isRefusal)
            #expect(refusals.isEmpty == verdict.blockers.isEmpty, place)
            // The checker repeats a refusal for every subentity.
            #expect(Set(refusals.map(Self.text)).isSubset(of: verdict.blockers), place)
            if !mapping.isInferable { refused += 1 }
        }
        // So that the comparison means something.
        #expect(pairs.count > 1000)
        #expect(refused > 50)
    }

    @Test(.long) func whatBreaksOnTheDataOfARealStoreIsForeseen() throws {
        let stores = (Corpus.path ?? "") + "/3_stores/"
        let pairs = CorpusStorePairs.all.flatMap { pair in
            CorpusVersions.neighbours(of: pair.source).map {
                Judge.Pair(source: pair.source, destination: $0, store: stores + pair.store)
            }
        }
        let verdicts = try Judge.verdicts(on: pairs)
        #expect(verdicts.count == pairs.count)
        let models = CorpusModels()
        var foreseen = 0
        for (pair, verdict) in zip(pairs, verdicts) {
            let mapping = InferredMapping(try models.correspondence(of: pair))
            let known = Set(mapping.dataDependentFailures.map(Self.text))
            for blocker in verdict.blockers {
                if mapping.isInferable || blocker.contains("but") {
                    #expect(known.contains { blocker.hasPrefix($0) }, "\(pair): \(blocker)")
                    foreseen += 1
                }
            }
        }
        #expect(foreseen > 2)
    }

    private static func entities(_ correspondence: ModelCorrespondence) -> [String: String] {
        var result: [String: String] = [:]
        for entity in correspondence.destination.entities {
            result[entity.name] = correspondence.sourceEntity(of: entity.slot)?.name
        }
        return result
    }

    private static func properties(_ correspondence: ModelCorrespondence) -> [String: String] {
        var result: [String: String] = [:]
        for entity in correspondence.destination.entities where correspondence.sourceSlot[entity.slot] != nil {
            for attribute in entity.attributes where attribute.isStored {
                let former = correspondence.sourceAttribute(for: attribute.name, in: entity.slot)?.name ?? ""
                if former != attribute.name { result["\(entity.name).\(attribute.name)"] = former }
            }
            for relationship in entity.relationships where relationship.isStored {
                let former = correspondence.sourceRelationship(for: relationship.name, in: entity.slot)?.name ?? ""
                if former != relationship.name { result["\(entity.name).\(relationship.name)"] = former }
            }
        }
        return result
    }

    /// A failure in the checker's words, as far as they don't depend on the data.
    private static func text(_ failure: InferenceFailure) -> String {
        switch failure.code {
        case .attributeTypeChanged(let old, let new):
            "\(failure.subject) changes its type from \(old.name) to \(new.name)"
        case .toManyBecameToOne: "\(failure.subject) changes from to-many to to-one"
        case .mergedHierarchies(let sources):
            "the hierarchies of \(sources.joined(separator: " and ")) are merged into that of \(failure.entity)"
        case .newAttributeWithoutDefault, .requiredWithoutDefault:
            "\(failure.subject) is required without default, but"
        case .becameAbstract: "\(failure.sourceEntity ?? "") has objects, but \(failure.entity) is abstract"
        case .severalSources: "\(failure.subject) is to-one, but several objects lead to it"
        case .destinationNarrowed(let destination, _): "\(failure.subject) leads to \(destination) now, but"
        // The checker does not count the owners of a destination, nor look for renaming identifiers that two share.
        case .newUniquenessConstraint, .sharedDestinations, .numberNarrowed, .sharedRenamingIdentifier,
            .externalDataInlined:
            failure.description
        }
    }
}
