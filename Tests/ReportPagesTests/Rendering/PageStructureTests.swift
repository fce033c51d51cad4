import ReportPages
import TestSupport
import Testing

/// What holds for a page of any report.
@Suite struct PageStructureTests {
    @Test(arguments: PageExample.allCases)
    func aPageNeedsNothingElse(example: PageExample) throws {
        let html = try example.page(in: TemporaryDirectory()).html()
        let outline = try PageOutline(html)
        #expect(outline.references.isEmpty)
        for name in ["script", "link", "img", "iframe", "object"] { #expect(outline.elements[name] == nil) }
        #expect(!html.contains("url("))
        #expect(!html.contains("@import"))
    }

    @Test(arguments: PageExample.allCases)
    func everyLinkLeadsToASectionOfThePage(example: PageExample) throws {
        let outline = try PageOutline(try example.page(in: TemporaryDirectory()).html())
        #expect(Set(outline.ids).count == outline.ids.count)
        #expect(!outline.links.isEmpty)
        for link in outline.links { #expect(link.first == "#" && outline.ids.contains(String(link.dropFirst()))) }
    }

    @Test(arguments: PageExample.allCases)
    func headingsAreInOrder(example: PageExample) throws {
        let outline = try PageOutline(try example.page(in: TemporaryDirectory()).html())
        #expect(outline.headings.filter { $0 == "h1" }.count == 1)
        #expect(outline.headings.prefix(2) == ["h1", "h2"])
        #expect(outline.elements["table"] == outline.elements["caption"])
    }

    @Test func aTextIsEscapedOnce() throws {
        let page = try PageExample.importing.page(in: TemporaryDirectory()).html()
        #expect(page.contains("<h1>Import into A &amp; B.sqlite</h1>"))
        let texts = try PageOutline(page).texts
        #expect(texts.contains("<b>.csv:7: \"title\" & more"))
    }
}
