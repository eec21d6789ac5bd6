"""Calls the published Python clients of Dub and Kutt, with ORIGIN and KEY of a server."""

import os

from dub import Dub
from dub.models import errors
from kutt import kutt

ORIGIN, KEY = os.environ["ORIGIN"], os.environ["KEY"]
URL = "https://example.com/"


def test_links_of_dub():
    with Dub(token=KEY, server_url=f"{ORIGIN}/compat/dub") as dub:
        made = dub.links.create(
            request={"url": URL, "key": "python", "external_id": "own-1", "tag_names": ["sale"]}
        )
        assert made.short_link == f"{ORIGIN}/python"
        assert [tag.name for tag in made.tags] == ["sale"]
        assert dub.links.get(request={"external_id": "ext_own-1"}).id == made.id
        changed = dub.links.update(link_id=made.id, request_body={"title": "Python"})
        assert changed.title == "Python"
        assert dub.links.upsert(request={"url": URL}).id == made.id
        assert dub.links.count(request={}) == 1
        assert [link.id for link in dub.links.list(request={}).result] == [made.id]
        rows = dub.links.create_many(request=[{"url": f"{URL}{i}"} for i in range(3)])
        ids = [row.id for row in rows]
        updated = dub.links.update_many(request={"link_ids": ids, "data": {"archived": True}})
        assert [link.archived for link in updated] == [True, True, True]
        assert dub.links.delete_many(request={"link_ids": ids}).deleted_count == 3
        try:
            dub.links.create(request={"url": URL, "key": "python"})
            raise AssertionError("a taken key was given")
        except errors.Conflict as refused:
            assert refused.data.error.code.value == "conflict"
        assert dub.links.delete(link_id="ext_own-1").id == made.id


def test_other_resources_of_dub():
    with Dub(token=KEY, server_url=f"{ORIGIN}/compat/dub") as dub:
        tag = dub.tags.create(request={"name": "sale"})
        link = dub.links.create(request={"url": URL, "tag_ids": [tag.id]})
        assert dub.tags.update(id=tag.id, request_body={"name": "mail"}).name == "mail"
        assert [each.name for each in dub.tags.list(request={})] == ["mail"]
        assert dub.tags.delete(id="mail").id == "mail"

        folder = dub.folders.create(request={"name": "Spring"})
        assert dub.folders.update(id=folder.id, request_body={"name": "Summer"}).name == "Summer"
        assert [each.id for each in dub.folders.list(request={})] == [folder.id]
        assert dub.folders.delete(id=folder.id).id == folder.id

        dub.domains.create(request={"slug": "go.example.com"})
        body = {"not_found_url": URL}
        assert dub.domains.update(slug="go.example.com", request_body=body).not_found_url == URL
        assert len(dub.domains.list(request={}).result) == 1
        assert dub.domains.delete(slug="go.example.com").slug == "go.example.com"

        counted = dub.analytics.retrieve(request={"link_id": link.id, "event": "composite"})
        assert (counted.clicks, counted.leads, counted.sales) == (0, 0, 0)
        assert dub.analytics.retrieve(request={"group_by": "countries"}) == []
        assert dub.events.list(request={"interval": "7d"}) == []
        lead = dub.track.lead(
            request={"click_id": "", "event_name": "Sign up", "customer_external_id": "c-1"}
        )
        assert lead.customer.external_id == "c-1"
        sale = dub.track.sale(request={"customer_external_id": "c-1", "amount": 4900})
        assert sale.sale.amount == 4900
        try:
            Dub(token="wrong", server_url=f"{ORIGIN}/compat/dub").links.count(request={})
            raise AssertionError("a wrong key was taken")
        except errors.Unauthorized:
            pass


def test_kutt():
    host = f"{ORIGIN}/api/v2/links"
    made = kutt.submit(KEY, f"{URL}kutt", description="Kutt", customurl="kutt", expire_in="2 days", host_url=host)
    assert (made["code"], made["data"]["address"]) == (201, "kutt"), made
    id = made["data"]["id"]
    again = kutt.submit(KEY, f"{URL}kutt", reuse=True, host_url=host)
    assert (again["code"], again["data"]["id"]) == (200, id), again
    taken = kutt.submit(KEY, f"{URL}kutt", customurl="kutt", host_url=host)
    assert (taken["code"], taken["data"]["error"]) == (400, "Custom URL is already in use.")
    changed = kutt.update(KEY, id, f"{URL}new", "kutt2", host_url=host)
    assert changed["data"]["target"] == f"{URL}new", changed
    listed = kutt.links(KEY, host_url=host)
    assert listed["data"]["total"] >= 1, listed
    stats = kutt.stats(KEY, id, host_url=host)
    assert len(stats["data"]["lastDay"]["views"]) == 24, stats
    deleted = kutt.delete(KEY, id, host_url=host)
    assert deleted["data"]["message"] == "Link has been deleted successfully.", deleted
    assert kutt.delete("wrong", id, host_url=host)["code"] == 401


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(name)
