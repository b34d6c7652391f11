// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// Which files a run leaves for servers, and what they are told on the command line.
@Suite("JUnit files of a run")
struct JUnitFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "a.yaml",
            Scenarios.nbt("demo.a", cases: "\(Scenarios.passing)\n\(Scenarios.failing)")
        )
        try folder.write("b.yaml", Scenarios.nbt("demo.b", cases: Scenarios.passing))
    }

    private func run(
        _ options: String...,
        suites: [String] = ["a.yaml", "b.yaml"],
        environment: [String: String] = [:]
    ) throws -> ChildProcess.Ending {
        try Taprig.start(
            ["run"] + suites + ["--seed", "1", "--out", "out"] + options,
            in: folder.path,
            environment: environment
        ).wait()
    }

    /// What an XML file says at a path; nil where it is not well-formed.
    private func value(_ expression: String, in name: String) throws -> String? {
        let ending = try ChildProcess("xmllint", ["--xpath", expression, folder.path(name)]).wait()
        return ending.status == 0 ? ending.output.trimmingCharacters(in: .newlines) : nil
    }

    private func roots(_ names: [String]) throws -> [String?] {
        try names.map { try value("name(/*)", in: $0) }
    }

    // MARK: Places

    @Test(
        "name files from the workspace, also where the project is a folder in it, and when they are made again",
        arguments: ["", "fw", "fw/tests"]
    )
    func workspace(_ working: String) throws {
        try folder.write("fw/taprig.yaml", "")
        let text = Scenarios.nbt("demo.c", cases: Scenarios.failing)
        let path = try folder.write("fw/tests/c.yaml", text)
        let environment = working.isEmpty ? [:] : ["GITHUB_WORKSPACE": folder.path("")]
        let out = folder.path("out")
        let ending = try Taprig.start(
            ["run", path, "--seed", "1", "--out", out],
            in: folder.path(working),
            environment: environment
        ).wait()
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(try value("string(//testcase/@file)", in: "out/junit.xml") == "fw/tests/c.yaml")
        #expect(
            try value("string(//failure)", in: "out/junit.xml")?.contains("\nat fw/tests/c.yaml:") == true
        )
        #expect(folder.text("out/run.json").contains("\"file\":\"tests/c.yaml\""))
        let again = try Taprig.start(
            ["report", folder.path("out/run.json"), "--junit", folder.path("again.xml")],
            in: folder.path(working),
            environment: environment
        ).wait()
        #expect(again.status == 0)
        #expect(try value("string(//testcase/@file)", in: "again.xml") == "fw/tests/c.yaml")
    }

    @Test("tell two projects apart whose files have the same names, and a file that cannot be read")
    func twoProjects() throws {
        for project in ["fw", "gw"] {
            try folder.write("\(project)/taprig.yaml", "")
            try folder.write("\(project)/c.yaml", Scenarios.nbt("demo.\(project)", cases: Scenarios.passing))
        }
        #expect(try run(suites: ["fw", "gw"]).status == 0)
        #expect(
            try value("string(//testsuite[@name='demo.fw']/testcase/@file)", in: "out/junit.xml")
                == "fw/c.yaml"
        )
        #expect(
            try value("string(//testsuite[@name='demo.gw']/testcase/@file)", in: "out/junit.xml")
                == "gw/c.yaml"
        )
        try folder.write("fw/c.yaml", "rig: 1\nsuite: demo.fw\n")
        #expect(try run(suites: ["fw", "gw"]).status == 2)
        #expect(
            try value("string(//testsuite[@name='demo.fw']/testcase/@file)", in: "out/junit.xml")
                == "fw/c.yaml"
        )
    }

    // MARK: Dialects

    @Test("of Surefire: one for each suite, and the run folder keeps one of the whole run")
    func surefire() throws {
        let ending = try run("--junit-flavor", "surefire", "--junit", "reports/")
        #expect(ending.status == 1)
        #expect(ending.errors.contains("JUnit: 2 files, the first is reports/TEST-demo.a.xml"))
        #expect(folder.files(below: "reports") == ["TEST-demo.a.xml", "TEST-demo.b.xml"])
        let names = ["reports/TEST-demo.a.xml", "reports/TEST-demo.b.xml", "out/junit.xml"]
        #expect(try roots(names) == ["testsuite", "testsuite", "testsuites"])
        #expect(try value("string(//testsuite/@tests)", in: names[0]) == "2")
        #expect(try value("count(//testcase[@file])", in: names[0]) == "0")
        #expect(try value("count(//testcase[@file])", in: names[2]) == "3")
    }

    @Test("of Surefire without a place: in the folder junit of the run folder")
    func surefireWithoutPlace() throws {
        #expect(try run("--junit-flavor", "surefire").status == 1)
        #expect(folder.files(below: "out/junit") == ["TEST-demo.a.xml", "TEST-demo.b.xml"])
    }

    @Test("of Surefire with one suite: the file that was named")
    func surefireOfOneSuite() throws {
        let ending = try run("--junit-flavor", "surefire", "--junit", "one.xml", suites: ["b.yaml"])
        #expect(ending.status == 0)
        #expect(try roots(["one.xml"]) == ["testsuite"])
        #expect(folder.files(below: "out/junit") == [])
    }

    @Test("of strict readers: what their schemas do not name is left out", arguments: ["xunit10", "ant"])
    func strict(flavor: String) throws {
        #expect(try run("--junit-flavor", flavor, "--junit", "strict.xml").status == 1)
        for name in ["strict.xml", "out/junit.xml"] {
            #expect(try value("count(//testcase)", in: name) == "3")
            #expect(
                try value("count(//testcase[@file or @line or @assertions or properties])", in: name) == "0"
            )
            #expect(try value("count(//failure)", in: name) == "1")
        }
        let package = try value("concat(//testsuite[1]/@package,'|',//testsuite[1]/@name)", in: "strict.xml")
        #expect(package == (flavor == "ant" ? "demo|a" : "|demo.a"))
        // Made again from run.json, it is the same.
        let again = try Taprig.run(
            "report",
            "out/run.json",
            "--junit",
            "again.xml",
            "--junit-flavor",
            flavor,
            in: folder.path
        )
        #expect(again.status == 0)
        let text = folder.text("again.xml")
        #expect(!text.isEmpty)
        #expect(text == folder.text("strict.xml"))
    }

    @Test("that are split: one for each suite, beside the name that was given")
    func split() throws {
        let ending = try run("--junit-split", "--junit", "parts.xml")
        #expect(ending.errors.contains("JUnit: 2 files, the first is parts-demo.a.xml"))
        #expect(try roots(["parts-demo.a.xml", "parts-demo.b.xml"]) == ["testsuites", "testsuites"])
        #expect(try value("string(/testsuites/@tests)", in: "parts-demo.a.xml") == "2")
        #expect(try value("string(/testsuites/@tests)", in: "parts-demo.b.xml") == "1")
        #expect(folder.text("parts.xml").isEmpty)
        #expect(try run("--junit-split").status == 1)
        #expect(
            folder.files(below: "out/junit").filter { $0.hasSuffix(".xml") } == [
                "junit-demo.a.xml", "junit-demo.b.xml",
            ]
        )
    }

    // MARK: Allure

    @Test("have the output of each suite beside them, where Allure looks for it")
    func allure() throws {
        #expect(try run("--junit", "results/").status == 1)
        for place in ["out", "results"] {
            let output = folder.text("\(place)/demo.a.txt")
            #expect(output.hasPrefix("passes:\nstep 1 select D2760000850101 > 00A4040007D276000085010100 < "))
            #expect(output.contains("\n\nfails:\nstep 1 "))
            #expect(output.contains("\nstep 2 read FILE_1"))
            #expect(output.contains("[[ATTACHMENT|out/traces/demo.a/fails.jsonl]]\n"))
            #expect(folder.text("\(place)/demo.b.txt").hasPrefix("passes:\n"))
        }
        #expect(
            folder.files(below: "results") == [
                "demo.a.txt", "demo.b.txt", "junit-demo.a.xml", "junit-demo.b.xml",
            ]
        )
    }

    @Test("have none where nobody looks for it: other dialects, and beside a file that was named")
    func noOutputs() throws {
        #expect(try run("--junit-flavor", "xunit10", "--junit", "x/junit.xml").status == 1)
        #expect(folder.files().filter { $0.hasSuffix(".txt") } == [])
        #expect(try run("--junit", "x/junit.xml").status == 1)
        #expect(folder.files(below: "x") == ["junit.xml"])
    }

    // MARK: The summary of a CI job

    @Test("are told of in the job's summary, behind what stands there")
    func summary() throws {
        let page = try folder.write("summary.md", "# Of another step\n")
        for count in 1...2 {
            #expect(try run(environment: ["GITHUB_STEP_SUMMARY": page]).status == 1)
            let text = folder.text("summary.md")
            #expect(text.hasPrefix("# Of another step\n"))
            #expect(text.components(separatedBy: "demo.a").count > count)
        }
        let text = folder.text("summary.md")
        #expect(text.contains("fails"))
        #expect(text.contains("expected data EE"))
        // A run that stands there already is no reason to leave the next one out.
        #expect(text.components(separatedBy: "1 failed").count >= 3)
    }

    @Test(
        "cost no run when the job's summary cannot take them",
        arguments: ["/nonexistent/summary.md", "full", ""]
    )
    func noSummary(page: String) throws {
        var path = page
        if page == "full" { path = try folder.write("full.md", String(repeating: "x", count: 1_048_000)) }
        let ending = try run(environment: ["GITHUB_STEP_SUMMARY": path])
        #expect(ending.status == 1)
        #expect(ending.errors.contains("the outcome was not added to") == !page.isEmpty)
        #expect(try value("count(//testcase)", in: "out/junit.xml") == "3")
        if page == "full" { #expect(folder.text("full.md").utf8.count == 1_048_000) }
    }
}
