import KeyedArchives
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

@testable import StoreVerification

/// Which archives a transformable attribute may have.
@Suite struct ArchivedClassTests {
    private func test(
        _ transformer: String?, className: String? = nil, isExternal: Bool = false, in folder: String = "/nowhere"
    ) -> ArchiveTest {
        var attribute = AttributeDescription(name: "value", type: .transformable, isOptional: true)
        attribute.valueTransformerName = transformer
        attribute.attributeValueClassName = className
        attribute.allowsExternalBinaryDataStorage = isExternal
        return ArchiveTest(attribute, StoreFiles(folder + "/A.sqlite"))
    }

    private func archive(_ make: (inout KeyedArchiveBuilder) throws -> KeyedArchiveBuilder.Reference) rethrows
        -> [UInt8]
    {
        var builder = KeyedArchiveBuilder()
        let root = try make(&builder)
        return builder.bytes(root: root)
    }

    private func archive(_ value: PropertyListValue) throws -> [UInt8] { try archive { try $0.propertyList(value) } }

    private func color(_ builder: inout KeyedArchiveBuilder) -> KeyedArchiveBuilder.Reference {
        builder.object(ArchivedClass(["AppColor", "BaseColor", "NSObject"]))
    }

    @Test(arguments: [nil, "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromData"])
    func plainValuesAreAllowed(transformer: String?) throws {
        let test = test(transformer)
        var list: [PropertyListValue] = [.null, .string("a"), .integer(1), .real(0.5), .boolean(true), .date(5)]
        list += [.data([1]), .set([.string("b")])]
        for value in list + [.array(list)] {
            #expect(test.rule(for: try archive(value)) == nil, "\(value)")
        }
        let uuid = archive { $0.object(ArchivedClass("NSUUID")) }
        let number = archive { $0.object(ArchivedClass(["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"])) }
        #expect(test.rule(for: uuid) == nil && test.rule(for: number) == nil)
        #expect(test.rule(for: [1, 2, 3]) == .undecodableValue && test.rule(for: []) == .undecodableValue)
        #expect((test.allowed == nil) == (transformer != "NSSecureUnarchiveFromData"))
    }

    /// At any depth: secure coding looks at each object.
    @Test func secureTransformersAllowFoundationsClassesOnly() throws {
        let plain = archive { color(&$0) }
        let deep = archive { builder in builder.array([builder.array([color(&builder)])]) }
        for bytes in [plain, deep] {
            #expect(test("NSKeyedUnarchiveFromData").rule(for: bytes) == nil && test(nil).rule(for: bytes) == nil)
            let secure = test("NSSecureUnarchiveFromDataTransformerName")
            #expect(secure.rule(for: bytes) == .archivedClassWrong && secure.foundClasses == ["AppColor"])
        }
    }

    @Test func theClassOfTheModelIsThatOfTheValue() throws {
        let object = archive { color(&$0) }
        for name in ["AppColor", "BaseColor", "App.BaseColor", "NSObject", "[String]"] {
            #expect(test(nil, className: name).rule(for: object) == nil, "\(name)")
        }
        for name in ["UIColor", "NSArray"] {
            #expect(test(nil, className: name).rule(for: object) == .archivedClassWrong, "\(name)")
        }
        let list = try archive(.array([]))
        for name in ["NSArray", "NSMutableArray", "Array"] {
            #expect(test("NSSecureUnarchiveFromData", className: name).rule(for: list) == nil, "\(name)")
        }
        let wrong = test("NSSecureUnarchiveFromData", className: "NSDictionary")
        #expect(wrong.rule(for: list) == .archivedClassWrong && wrong.foundClasses == ["NSArray"])
        #expect(wrong.allowed == "the model says NSDictionary")
        #expect(test(nil, className: "NSString").rule(for: try archive(.integer(1))) == .archivedClassWrong)
        #expect(test(nil, className: "NSNumber").rule(for: try archive(.integer(1))) == nil)
    }

    /// Values behind a tag, and in files; what other rules say of these is not said twice.
    @Test func externalValuesAreReadWhereTheyAre() throws {
        let directory = try TemporaryDirectory()
        let name = "487EF7F8-6FB0-568A-AD7C-81CAF3CC76C8"
        let object = archive { color(&$0) }
        let folder = directory.file(".A_SUPPORT/_EXTERNAL_DATA")
        try FileSystem.createDirectory(folder)
        try NewFile(folder + "/" + name).write(object)
        let test = test("NSSecureUnarchiveFromData", isExternal: true, in: directory.path)
        #expect(test.rule(for: [1] + object) == .archivedClassWrong)
        #expect(test.rule(for: try [1] + archive(.string("a"))) == nil)
        #expect(test.rule(for: [1, 2]) == .undecodableValue)
        #expect(test.rule(for: [2] + Array(name.utf8) + [0]) == .archivedClassWrong)
        #expect(test.rule(for: [2] + Array("00000000-6FB0-568A-AD7C-81CAF3CC76C8".utf8) + [0]) == nil)
        #expect(test.rule(for: [3]) == nil)
    }
}
