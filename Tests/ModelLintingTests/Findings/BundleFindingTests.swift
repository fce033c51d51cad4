import Foundation
import ManagedObjectModels
import ModelLinting
import TestSupport
import Testing

/// What is wrong with bundles rather than with the models in them.
@Suite struct BundleFindingTests {
    private static let entity =
        "<entity name=\"A\"><attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/></entity>"
    private static let other = entity.replacing("String", with: "Date")

    private func messages(_ versions: ModelVersions) -> [String] {
        ModelLinter.findings(in: versions).map { "\($0.code.rawValue) \($0.subject ?? "-"): \($0.message)" }
    }

    /// A compiled bundle of the versions One and Two.
    private func compiledBundle(_ folder: ModelFolder, current: String? = "Two") throws -> String {
        let compiled = try CompiledModelBundle(folder.versions().versions, currentVersionName: current)
        let bundle = folder.directory.file("M.momd")
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for file in compiled.files { try folder.directory.write(file.bytes, to: "M.momd/" + file.path) }
        return bundle
    }

    @Test func aBundleWithoutAChoiceIsAFindingThatListsTheVersions() throws {
        let versions = try ModelFolder([("One", Self.entity), ("Two", Self.other)]).versions()
        let found = messages(versions)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("FM010") == true && found.first?.hasSuffix("One, Two") == true, "\(found)")
        #expect(messages(try ModelFolder(Self.entity).versions()) == [])
    }

    @Test func aCompiledBundleThatIsWholeHasNoFindings() throws {
        let folder = try ModelFolder([("One", Self.entity), ("Two", Self.other)])
        #expect(messages(try ModelVersions(path: try compiledBundle(folder))) == [])
    }

    @Test(arguments: [("One.mom", "lists the version \"One\""), ("Two.mom", "the current version \"Two\"")])
    func aVersionThatACompiledBundleLacksIsAFinding(file: String, message: String) throws {
        let folder = try ModelFolder([("One", Self.entity), ("Two", Self.other)])
        let bundle = try compiledBundle(folder)
        try FileManager.default.removeItem(atPath: bundle + "/" + file)
        let found = messages(try ModelVersions(path: bundle))
        #expect(found.count == 1 && found[0].contains(message), "\(found)")
    }

    @Test func aModelOfAnotherBuildContradictsTheList() throws {
        let folder = try ModelFolder([("One", Self.entity), ("Two", Self.other)])
        let bundle = try compiledBundle(folder)
        try FileManager.default.removeItem(atPath: bundle + "/Two.mom")
        try FileManager.default.copyItem(atPath: bundle + "/One.mom", toPath: bundle + "/Two.mom")
        let found = messages(try ModelVersions(path: bundle))
        #expect(found.count == 1 && found[0].hasPrefix("FM010 A: ") && found[0].contains("\"Two\""), "\(found)")
    }

    @Test func aVersionThatCannotBeReadIsAFindingOnItsLine() throws {
        let found = try ModelFolder("<<<<<<< HEAD").findings()
        #expect(found.map(\.code) == [.unreadableModel])
        #expect(found.first?.line == 3)
        #expect(found.first?.severity == .error)
    }
}
