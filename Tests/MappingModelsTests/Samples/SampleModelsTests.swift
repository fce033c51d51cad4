import ManagedObjectModels
import MappingModels
import TestSupport
import Testing

@Suite struct SampleModelsTests {
    private static let names = ["Company", "Recipes", "Ledger"]

    private func infer(_ name: String, from source: String, to destination: String) throws -> InferredMapping {
        let versions = try ModelVersions(path: Samples.models(name))
        return InferredMapping(
            ModelCorrespondence(
                source: try ResolvedModel(versions.version(source).model()),
                destination: try ResolvedModel(versions.version(destination).model())))
    }

    @Test(arguments: names) func everyVersionIsReadWithoutAWarning(name: String) throws {
        let versions = try ModelVersions(path: Samples.models(name))
        #expect(versions.warnings == [])
        #expect(versions.versions.count >= 4)
        for version in versions.versions {
            let document = try version.document()
            #expect(document.warnings == [], "\(version)")
            #expect(
                ModelHashes.entityHashes(of: try ResolvedModel(document.model)).allSatisfy(\.isProven), "\(version)")
        }
    }

    @Test(arguments: [("Company", "Company"), ("Recipes", "Recipes 1"), ("Ledger", "Ledger")])
    func theStoreHasTheHashesOfTheFirstVersion(name: String, version: String) throws {
        let text = try Samples.storeText(name)
        let model = try ModelVersions(path: Samples.models(name)).version(version).model()
        let hashes = ModelHashes.hashes(of: try ResolvedModel(model))
        for (entity, hash) in hashes {
            #expect(text.contains("--     \(entity): \(hash.hex)\n"))
            #expect(text.contains(hash.hex.uppercased()))
        }
        #expect(text.contains("--   NSStoreModelVersionHashesDigest: \"\(ModelHashes.digest(of: hashes))\"\n"))
        #expect(text.contains("--   NSStoreModelVersionChecksumKey: \"\(ModelHashes.checksum(of: hashes))\"\n"))
    }

    @Test(arguments: [
        ("Company", ["Company", "Company 2", "Company 3", "Company 4"]),
        ("Recipes", ["Recipes 1", "Recipes 2", "Recipes 3", "Recipes 4"]),
    ])
    func anyVersionCanBeReachedFromAnyOlderOne(name: String, versions: [String]) throws {
        for (index, source) in versions.enumerated() {
            for destination in versions[(index + 1)...] {
                #expect(try infer(name, from: source, to: destination).refusals == [], "\(source) to \(destination)")
            }
        }
    }

    @Test func theNewestVersionIsTheCurrentOne() throws {
        #expect(try ModelVersions(path: Samples.models("Company")).current().name == "Company 4")
        #expect(try ModelVersions(path: Samples.models("Recipes")).current().name == "Recipes 4")
    }

    @Test(arguments: [
        ("Ledger type change", "Account.number", "attributeTypeChanged", false),
        ("Ledger to-one", "Account.booking", "toManyBecameToOne", false),
        ("Ledger one hierarchy", "Entry", "mergedHierarchies", false),
        ("Ledger required", "Booking.text", "requiredWithoutDefault", true),
        ("Ledger unique", "Account", "newUniquenessConstraint", true),
    ])
    func theLedgerIsRefused(version: String, subject: String, code: String, dependsOnData: Bool) throws {
        let mapping = try infer("Ledger", from: "Ledger", to: version)
        #expect(mapping.isInferable == dependsOnData)
        #expect(
            mapping.failures.contains {
                $0.code.name == code && $0.isDataDependent == dependsOnData && $0.subject.hasPrefix(subject)
            }, "\(mapping.failures)")
    }
}
