#!/bin/sh
echo dark
