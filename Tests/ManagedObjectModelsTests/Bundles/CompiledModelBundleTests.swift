import KeyedArchives
import ManagedObjectModels
import TestSupport
import Testing

@Suite struct CompiledModelBundleTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func versions(_ contents: String) throws -> [ModelVersion] {
        [try ModelVersions(path: directory.write(contents, to: "contents")).current()]
    }

    private func model(_ body: String) -> String {
        """
        <?xml version="1.0"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Person" representedClassName=".Person">
                <attribute name="name" optional="YES" attributeType="String"/>
                \(body)
            </entity>
        </model>
        """
    }

    @Test
    func aBundleHasAFileForEachVersionAndListsHashesAndChecksumsOfAll() throws {
        let found = try ModelVersions(path: Samples.models("Company"))
        let bundle = try CompiledModelBundle(
            found.versions, currentVersionName: try found.current().name, moduleName: "App")
        #expect(bundle.warnings == [])
        #expect(bundle.files.map(\.path) == found.versions.map { $0.name + ".mom" } + ["VersionInfo.plist"])
        let list = try #require(try PropertyListReader.value(from: bundle.files.last?.bytes ?? []).dictionary)
        let information = VersionInformation(list)
        #expect(information.currentVersionName == "Company 4")
        #expect(information.compiler == .current)
        if case .real? = list["CDMCompilerToolVersion"] {} else { Issue.record("the tool's version is not a real") }
        if case .integer? = list["CDMCompilerXcodeVersion"] {
        } else {
            Issue.record("Xcode's version is not an integer")
        }
        for version in found.versions {
            let hashes = ModelHashes.hashes(of: try ResolvedModel(version.model()))
            #expect(information.hashes[version.name] == hashes)
            #expect(information.checksums[version.name] == ModelHashes.checksum(of: hashes))
        }
    }

    @Test(
        "An error says the line on which the part begins",
        arguments: [
            (
                #"<fetchIndex name="i" partialIndexPredicate="name =="><fetchIndexElement property="name"/></fetchIndex>"#,
                5
            ),
            (#"<attribute name="d" attributeType="String" derived="YES" derivationExpression="count("/>"#, 5),
            (
                #"<userInfo/>\#n<fetchedProperty name="f"><fetchRequest name="r" entity="Person" predicateString="=="/></fetchedProperty>"#,
                6
            ),
        ])
    func anErrorSaysTheLineOnWhichThePartBegins(body: String, line: Int) throws {
        do {
            _ = try CompiledModelBundle(versions(model(body)), currentVersionName: nil, moduleName: "App")
            Issue.record("compiled")
        } catch let error as ModelError {
            #expect(error.line == line)
            #expect(error.description.hasPrefix(directory.file("contents") + ":\(line): entity Person"))
            #expect(error.description.contains("cannot be parsed"))
        }
    }

    @Test
    func aFetchRequestsErrorHasItsLineToo() throws {
        let text = """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="Person"/>
                <fetchRequest name="r" entity="Person" predicateString="name =="/>
            </model>
            """
        do {
            _ = try CompiledModelBundle(versions(text), currentVersionName: nil)
            Issue.record("compiled")
        } catch let error as ModelError {
            #expect(error.line == 3)
        }
    }

    @Test
    func whatIsNotInTheResultOrNotCertainIsALossWithALine() throws {
        let text = """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="Person" representedClassName=".Person">
                    <attribute name="odd"/>
                </entity>
                <entity name="Other" representedClassName=".Other"/>
                <fetchRequest name="r" entity="Nobody"/>
                <configuration name="c">
                    <memberEntity name="Somebody"/>
                </configuration>
            </model>
            """
        let warnings = try CompiledModelBundle(versions(text), currentVersionName: nil).warnings
        #expect(warnings.filter { !$0.isLoss } == [])
        #expect(warnings.map(\.line) == [5, 6, 7, 2])
        #expect(warnings.map(\.code)[0] == .unknownModule(className: ".Other"))
        #expect(warnings.map(\.code)[1] == .notWritable("the unknown entity \"Nobody\" of the fetch request \"r\""))
        #expect(warnings.map(\.code)[2] == .notWritable("the unknown entity \"Somebody\" of the configuration \"c\""))
        #expect("\(warnings[3])".contains("its type is undefined"))
    }

    @Test
    func sourcesMadeOfACompiledBundleAreCompiledToTheSameBytes() throws {
        let found = try ModelVersions(path: Samples.models("Recipes"))
        let compiled = try CompiledModelBundle(found.versions, currentVersionName: "Recipes 4", moduleName: "App")
        for version in compiled.versions {
            let document = try CompiledModelReader.read(bytes: version.bytes, name: version.name)
            let source = try SourceModelBundle([(version.name, document)], currentVersionName: version.name)
            #expect(source.files.map(\.path) == [version.name + ".xcdatamodel/contents", ".xccurrentversion"])
            #expect(source.warnings == [])
            let read = try ModelContentsReader.read(bytes: source.files[0].bytes, name: "contents").model
            #expect(read == document.model)
            #expect(try CompiledModelWriter(read).compile().bytes == version.bytes)
        }
    }

    @Test
    func aNameThatNoSourceCanHoldIsRefusedItsHashWouldChange() throws {
        let model = ManagedObjectModel(entities: [EntityDescription(name: "A\u{1}")])
        #expect(throws: ModelError.self) {
            try SourceModelBundle([("V", ModelDocument(model: model))], currentVersionName: nil)
        }
    }

    /// As structures in structures of SwiftData have them.
    @Test
    func elementsThatShareANameHaveNoSourceAndThatIsSaidOfThem() throws {
        let element = AttributeDescription(name: "x", type: .string, isOptional: true)
        let model = ManagedObjectModel(
            entities: [
                EntityDescription(
                    name: "A", attributes: [AttributeDescription(name: "c", type: .composite, compositeName: "C")])
            ], composites: [CompositeDescription(name: "C", elements: [element, element])])
        let error = try #require(throws: ModelError.self) {
            try SourceModelBundle([("V", ModelDocument(model: model))], currentVersionName: nil)
        }
        #expect(error.property == "x" && error.path == nil && error.line == nil)
        #expect("\(error)".contains("a source model cannot hold it: two properties"), "\(error)")
    }
}
