import Foundation
import ManagedObjectModels
import TestSupport
import Testing

/// Stores that carry their model need no other.
@Suite final class StoreModelTests: CompanyStoreSuite {
    private static let company = Samples.models("Company")

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    private func addModel(_ version: String) throws {
        try ModelCache.write(ModelVersions(path: Self.company).version(version).model(), into: store)
    }

    @Test func inspectShowsThePropertiesOfAStoreThatCameAlone() throws {
        #expect(try !ferry("inspect", store).output.contains("\nModel "))
        try addModel("Company")
        let before = try FolderState(of: directory.path)
        let run = try ferry("inspect", store)
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("Model Company.sqlite\n"))
        #expect(run.output.contains("  Manager: Employee\n"))
        #expect(run.output.contains("->> "))
        let json = try ferry("inspect", store, "--json")
        let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let model = document?["model"] as? [String: Any]
        #expect((model?["entities"] as? [Any])?.count == 6)
        #expect(try FolderState(of: directory.path) == before)
    }

    @Test func theStoreIsAModelWhereverOneIsNamed() throws {
        try addModel("Company")
        let diff = try ferry("diff", "-m", store, "-m", Self.company, "--from", "Company.sqlite", "--to", "Company 2")
        #expect(diff.status == 0, "\(diff.summary)")
        #expect(diff.output.hasPrefix("Company.sqlite -> Company 2"), "\(diff.output)")
        let decompiled = try ferry("decompile", store, "-o", "Company.xcdatamodeld")
        #expect(decompiled.status == 0, "\(decompiled.summary)")
        let model = try ModelVersions(path: directory.file("Company.xcdatamodeld")).current().model()
        let source = try ModelVersions(path: Self.company).version("Company").model()
        #expect(try ModelHashes.hashes(of: ResolvedModel(model)) == ModelHashes.hashes(of: ResolvedModel(source)))
    }

    @Test func theStoreIsLintedDrawnAndCompiledLikeAModel() throws {
        let without = try ferry("diagram", store, "--format", "mermaid")
        #expect(without.status == 2 && without.errors.contains("carries no model"), "\(without.summary)")
        try addModel("Company")
        let drawn = try ferry("diagram", store, "--format", "mermaid")
        #expect(drawn.status == 0 && drawn.output.contains("parkingPlace"), "\(drawn.summary)")
        let found = try ferry("lint", store, "--fail-on", "error")
        let ofSource = try ferry("lint", Self.company, "--version", "Company", "--fail-on", "error")
        #expect(found.status == 0 && found.output.contains("[FM301]"), "\(found.summary)")
        #expect(found.output.contains("[FM301]") == ofSource.output.contains("[FM301]"))
        let compiled = try ferry("compile", store, "-o", "Company.mom", "--module", "App")
        #expect(compiled.status == 0, "\(compiled.summary)")
        let hashes = try ModelVersions(path: directory.file("Company.mom")).current().model()
        let source = try ModelVersions(path: Self.company).version("Company").model()
        #expect(try ModelHashes.hashes(of: ResolvedModel(hashes)) == ModelHashes.hashes(of: ResolvedModel(source)))
    }

    @Test func anImportNeedsNoModels() throws {
        try directory.write("name\nTests\n", to: "departments.csv")
        let words = ["import", "departments.csv", "--store", store, "--entity", "Department"]
        let without = try ToolProcess.ferry(words, in: directory.path)
        #expect(without.status == 2)
        #expect(without.errors.contains("name one with --models"))
        try addModel("Company")
        let run = try ToolProcess.ferry(words, in: directory.path)
        #expect(run.status == 0 || run.status == 1, "\(run.summary)")
        #expect(!run.errors.contains("ferry:"))
    }

    @Test(.long) func aMigrationNeedsOnlyTheModelToGoTo() throws {
        let words = ["migrate", store, "--models", Self.company + "/Company 2.xcdatamodel", "--dry-run"]
        #expect(try ToolProcess.ferry(words, in: directory.path).status == 2)
        try addModel("Company")
        let run = try ToolProcess.ferry(words, in: directory.path)
        #expect(run.status == 0 || run.status == 1, "\(run.summary)")
        #expect(run.output.contains("from   Company.sqlite"))
        #expect(run.output.contains("to     Company 2"))
    }

    @Test func aModelThatAnotherVersionLeftIsNotTheStores() throws {
        try addModel("Company 3")
        let inspected = try ferry("inspect", store)
        #expect(inspected.status == 0)
        #expect(!inspected.output.contains("\nModel "))
        try directory.write("name\nTests\n", to: "departments.csv")
        let imported = try ferry("import", "departments.csv", "--store", store, "--entity", "Department")
        #expect(imported.status == 2)
        let decompiled = try ferry("decompile", store, "-o", "C.xcdatamodeld")
        #expect(decompiled.status == 1)
        #expect(decompiled.errors.contains("another version left it there"))
    }
}
